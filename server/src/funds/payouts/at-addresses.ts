/**
 * What the addresses of clients have at a named block. Their account knows what has ended there, which takes as many blocks as a
 * payment needs to be final: a sweep whose block is read with the hot wallet would count in both until then. So whatever is not final,
 * or has become so in a later block, is asked for at the chain itself, as wallets are.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type Chains, NodeFailure, type Sender } from '../chains/service.ts';
import type { KeptPayout } from './kept-payout.ts';
import { changesOf } from './moved.ts';
import type { PayoutStore } from './store.ts';

export interface AtAddressesDeps {
  readonly chains: Chains;
  readonly store: Pick<PayoutStore, 'between' | 'openBetween' | 'lastId'>;
  /** The account of all addresses. */
  readonly held: () => Promise<readonly { network: NetworkName; coin: string; units: bigint }[]>;
}

/** Smallest units of the chain. */
export interface AtAddresses {
  readonly coin: string;
  readonly units: bigint;
}

/** Readings of an account that changes meanwhile. */
const TRIES = 5;

const isOpen = ({ state }: KeptPayout) => state !== 'FINAL' && state !== 'FAILED';

/** The account, with the payments that are not in it yet: none has ended between both readings. */
async function readAccount({ store, held }: AtAddressesDeps, network: NetworkName) {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const last = await store.lastId();
    const open = new Set((await store.openBetween(network)).map(({ id }) => id));
    const account = (await held()).filter((one) => one.network === network);
    const after = await store.openBetween(network);
    if (after.filter(({ id }) => open.has(id)).length === open.size) return { last, open, account };
  }
  throw new NodeFailure(`Sweeps of ${network} have ended with each reading`);
}

/** What a payment has changed in blocks up to a height, by the chain. */
async function changedBy(payout: KeptPayout, leader: KeptPayout, sender: Pick<Sender, 'status'>, height: number) {
  const client = payout.payer?.address ?? payout.address;
  // Any attempt may be the one that is mined.
  for (const { transaction } of leader.attempts) {
    const status = transaction === null ? undefined : await sender.status(transaction);
    if (status?.state === 'UNCLEAR') throw new NodeFailure(`The nodes of ${payout.network} disagree on ${transaction}`);
    if (status?.state !== 'MINED' || status.height > height) continue;
    const { cost, isUndone } = status;
    return changesOf({ ...payout, client, cost, isUndone, coins: payout.payer?.coins });
  }
  return [];
}

/** What the account has of a payment that became final in a later block. */
const tooEarly = (payout: KeptPayout) =>
  changesOf({
    ...payout,
    ...{ client: payout.payer?.address ?? payout.address, cost: payout.cost ?? 0n, coins: payout.payer?.coins },
  }).map((change) => ({ ...change, units: -change.units }));

/**
 * Begins before the block is named, so that every deposit of the account is in it or below it.
 * @returns what there is at its height, once it was read; rejects with `NodeFailure` where the chain cannot say
 */
export async function lookAtAddresses(
  deps: AtAddressesDeps,
  network: NetworkName,
): Promise<(height: number) => Promise<readonly AtAddresses[]>> {
  const { chains, store } = deps;
  const { last, open, account } = await readAccount(deps, network);
  return async (height) => {
    const sender = chains.get(network)?.sender;
    const changes: AtAddresses[] = [...account];
    if (sender !== undefined) {
      const payouts = await store.between(network, { above: height, also: [...open], after: last });
      const byId = new Map(payouts.map((payout) => [payout.id, payout]));
      for (const payout of payouts) {
        const leader = byId.get(payout.carriedBy ?? payout.id) ?? payout;
        const isInAccount = !isOpen(payout) && !open.has(payout.id) && payout.id <= last;
        changes.push(...(isInAccount ? tooEarly(payout) : await changedBy(payout, leader, sender, height)));
      }
    }
    const byCoin = Map.groupBy(changes, ({ coin }) => coin);
    return [...byCoin].map(([coin, all]) => ({ coin, units: all.reduce((sum, { units }) => sum + units, 0n) }));
  };
}
