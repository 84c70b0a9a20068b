/**
 * How long each attack goes on: short in `npm test`, long by `npm run attack`, anything else by environment. Every run
 * is seeded; a failure names its seed.
 */
function size(name: string, short: number, long: number): number {
  const given = process.env[name];
  if (given !== undefined && given !== '') return Number(given);
  return process.env.ATTACK === 'long' ? long : short;
}

export const sizes = {
  seed: size('ATTACK_SEED', 20_261_122, 20_261_122),
  /** Deaths by SIGKILL, on each database. */
  kills: size('ATTACK_KILLS', 5, 100),
  /** Requests of the fuzzer, on each database. */
  requests: size('ATTACK_REQUESTS', 10_000, 200_000),
  /** Raw sockets. */
  probes: size('ATTACK_PROBES', 1200, 20_000),
  /** Deposits, and as many withdrawals, on each chain while chain, signer and server fail. */
  movements: size('ATTACK_MOVEMENTS', 24, 1000),
  /** Whether each chain has them on each database, or all but the first one on PostgreSQL alone. */
  everyDatabase: process.env.ATTACK === 'long',
  /** Rounds of each race, on each database. */
  rounds: size('ATTACK_ROUNDS', 2, 25),
} as const;
