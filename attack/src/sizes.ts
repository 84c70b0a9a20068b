/**
 * How long each attack goes on: one small pass in `npm test`, a longer one in `npm run test:all`, the longest by
 * `npm run attack`, anything else by environment. Every run is seeded; a failure names its seed.
 */
import { isFullSuite } from '@cambist/server/test/suite.ts';

interface Sizes {
  readonly small: number;
  readonly full: number;
  readonly long: number;
}

function size(name: string, { small, full, long }: Sizes): number {
  const given = process.env[name];
  if (given !== undefined && given !== '') return Number(given);
  if (process.env.ATTACK === 'long') return long;
  return isFullSuite ? full : small;
}

export const sizes = {
  seed: Number(process.env.ATTACK_SEED || 20_261_122),
  /** Deaths by SIGKILL, on each database. */
  kills: size('ATTACK_KILLS', { small: 1, full: 5, long: 100 }),
  /** Requests of the fuzzer, on each database. The small pass asks each call once as each role. */
  requests: size('ATTACK_REQUESTS', { small: 1_400, full: 10_000, long: 200_000 }),
  /** Raw sockets. */
  probes: size('ATTACK_PROBES', { small: 200, full: 1_200, long: 20_000 }),
  /** Deposits, and as many withdrawals, on each chain while chain, signer and server fail. */
  movements: size('ATTACK_MOVEMENTS', { small: 2, full: 24, long: 1_000 }),
  /** The most that fails meanwhile: in the small pass the server is killed once, and two others follow. */
  failures: size('ATTACK_FAILURES', { small: 3, full: 1_000, long: 100_000 }),
  /** How many clients at each leverage are to be liquidated. */
  crowd: size('ATTACK_CROWD', { small: 1, full: 2, long: 2 }),
  /** USDT by which the price falls every quarter of a second, in the attack on liquidations. */
  fall: size('ATTACK_FALL', { small: 1_000, full: 400, long: 400 }),
  /** Whether each chain has them on each database, or all but the first one on PostgreSQL alone. */
  everyDatabase: process.env.ATTACK === 'long',
  /** Rounds of each race, on each database. */
  rounds: size('ATTACK_ROUNDS', { small: 1, full: 2, long: 25 }),
} as const;
