/** Requests to the cold wallet as files, and what comes back signed: it is sent only if it pays exactly what was asked. */

import type { Authority } from '../../platform/authority.ts';
import {
  type Chains,
  type CoinNetwork,
  lastsUntil,
  NodeFailure,
  type SignedRefill,
  signedRefill,
  writeJson,
  writeRequest,
} from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import type { ColdStore, Move } from './store.ts';

export interface RefillDeps {
  readonly store: ColdStore;
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly payouts: Pick<OwnPayouts, 'signedElsewhere' | 'book' | 'wake'>;
  readonly clock: { now(): number };
}

/**
 * `UNREADABLE`: no signed file; `OTHER`: of another request; `NOT_AS_ASKED`: it pays something else; `LAPSED`: no block takes it
 * any more; `MOVED_ON`: another has come before it.
 */
export type UploadFault = 'UNREADABLE' | 'OTHER' | 'NOT_AS_ASKED' | 'LAPSED' | 'MOVED_ON' | 'NODE';

/** What is left of its time must do for a block to take it. */
const MINED_MS = 60_000;

/** Until when a refill must be back signed, ms since 1970; null where it has time. */
function endOf({ terms }: Move): number | null {
  const until = terms === null ? null : lastsUntil(terms);
  return until === null ? null : until - MINED_MS;
}
const isOver = (move: Move, now: number): boolean => now > (endOf(move) ?? now);

/** The same of one that is not signed yet; null for any other. */
export const backBy = (move: Move): number | null => (move.state === 'PLANNED' ? endOf(move) : null);

export const hasLapsed = (move: Move, now: number): boolean => move.state === 'PLANNED' && isOver(move, now);

/** Whether it was given up since it did not come back in its time, or could be. */
export const cameTooLate = (move: Move, now: number): boolean => move.state === 'CANCELLED' && isOver(move, now);

const nameOf = async ({ payouts }: RefillDeps, { id }: Move): Promise<string> => `${await payouts.book()}:refill:${id}`;

/** What is carried to the cold machine. `psbt`: the same for wallets of others, as base64; null where they read none. */
export interface RequestFile {
  readonly name: string;
  readonly file: string;
  readonly psbt: string | null;
}

/** @throws NodeFailure where a PSBT wants what the node alone knows */
export async function requestFile(deps: RefillDeps, move: Move): Promise<RequestFile> {
  const { network, cold: from, hot: to, contract, units, terms } = move;
  if (terms === null) throw new Error(`Move ${move.id} is no refill`);
  const request = await nameOf(deps, move);
  const asked = { request, network, from, to, contract, units, terms };
  const psbt = await deps.chains.get(network)?.sender?.psbt?.(from, { network, contract, address: to, units }, terms);
  const file = writeRequest({ ...asked, ...inWords(backBy(move)) });
  return { name: `refill-${move.id}.json`, file, psbt: psbt ?? null };
}

/** For who reads the file. */
const inWords = (until: number | null) => (until === null ? {} : { back_by: new Date(until).toISOString() });

/** Other wallets name no request: what they sign says itself what it pays. */
type Brought = Pick<SignedRefill, 'raw'> & Partial<SignedRefill>;

/** A PSBT as base64, or the bytes of a transaction in hex. */
const FOREIGN = /^\s*(cHNidP8[\w+/=\s]*|[0-9a-fA-F\s]+)$/;

function parsed(text: string, isPsbtRead: boolean): Brought | undefined {
  if (isPsbtRead && FOREIGN.test(text)) return { raw: text };
  try {
    return signedRefill.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Takes over a signed file: from then on it is sent and followed as a payout. @returns undefined once it is taken over */
export async function upload(
  deps: RefillDeps,
  by: Authority,
  move: Move,
  text: string,
): Promise<UploadFault | undefined> {
  const { store, chains, networks, payouts, clock } = deps;
  const sender = chains.get(move.network)?.sender;
  const file = parsed(text, sender?.psbt !== undefined);
  if (file === undefined) return 'UNREADABLE';
  const own = { request: await nameOf(deps, move), network: move.network };
  const named = { ...own, ...file };
  if (named.request !== own.request || named.network !== own.network) return 'OTHER';
  const signed = await sender?.read?.(file.raw).catch((error: unknown) => {
    if (error instanceof NodeFailure) return 'away' as const;
    throw error;
  });
  if (signed === 'away') return 'NODE';
  // Such as a PSBT that comes back as it went.
  if (signed === undefined && file.request === undefined) return 'UNREADABLE';
  const { network, coin, contract, hot, cold, units, terms } = move;
  const asked = [network, cold, hot, contract, units, terms];
  const paid = signed && [signed.network, signed.from, signed.address, signed.contract, signed.units, signed.terms];
  if (signed === undefined || writeJson(paid) !== writeJson(asked)) return 'NOT_AS_ASKED';
  if (hasLapsed(move, clock.now())) return 'LAPSED';
  const way = (await networks.all()).find((one) => one.network === network && one.coin === coin);
  const payer = { address: cold, index: null };
  const payment = { purpose: 'refill', reference: move.id, network, coin, address: hot, units, payer } as const;
  const { transaction } = signed;
  const bytes = { raw: signed.raw ?? file.raw, transaction, terms: signed.terms };
  const depth = way?.withdraw_confirmations ?? way?.unlocked_at ?? 1;
  const planned = payouts.signedElsewhere(payment, bytes, depth, clock.now());
  if (!(await store.sending(move, planned, clock.now(), by))) return 'MOVED_ON';
  payouts.wake();
  return undefined;
}
