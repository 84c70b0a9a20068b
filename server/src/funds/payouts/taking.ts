/** Takes up payouts that are planned, in their order: fixes what decides the bytes of each, with those that can go along. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { SignerLink } from '../../signer/service.ts';
import {
  type BlockHeader,
  type CoinNetwork,
  EstimateRefused,
  othersOf,
  type Sender,
  type Terms,
} from '../chains/service.ts';
import { isUnderway, isUntaken, missing, paymentOf, sharesPayer } from './funds.ts';
import { type KeptPayout, nameOf, termsOf } from './kept-payout.ts';
import type { Signing } from './signing.ts';
import type { PayoutStore } from './store.ts';
import type { Waiting } from './waiting.ts';

export interface TakingDeps {
  readonly network: NetworkName;
  readonly sender: Sender;
  readonly signer: Pick<SignerLink, 'signed'>;
  readonly signing: Signing;
  readonly store: PayoutStore;
  /** Those of the network that have not ended. */
  readonly openPayouts: () => Promise<readonly KeptPayout[]>;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly isStopped: (coin: string) => boolean;
  readonly waiting: Waiting;
  readonly clock: { now(): number };
}

/** Signed and in no block, at most: what is wrong with one is soon seen. */
const MAXIMUM_UNDERWAY = 16;

export class Taking {
  readonly #deps: TakingDeps;
  /** Coins of which the hot wallet has too little for the oldest: what is behind that waits for it. */
  readonly #short = new Set<string>();

  constructor(deps: TakingDeps) {
    this.#deps = deps;
  }

  /**
   * @param isFirst whether it begins with the oldest, and does not go on behind what was looked at before
   * @returns whether each of them was taken, or waits for something else than its turn
   */
  async take(hot: string, head: BlockHeader, isFirst: boolean): Promise<boolean> {
    const { waiting, isStopped, openPayouts } = this.#deps;
    const short = this.#short;
    if (isFirst) short.clear();
    let open = await openPayouts();
    let isThrough = true;
    for (const { id } of open.filter(isUntaken)) {
      // It may have gone along with one before it.
      const payout = open.find((one) => one.id === id && isUntaken(one));
      if (payout === undefined) continue;
      const isHot = payout.payer === undefined;
      const isRival = (one: KeptPayout) => one.carriedBy === null && isHot === (one.payer === undefined);
      if (open.filter((one) => isUnderway(one) && isRival(one)).length >= MAXIMUM_UNDERWAY) isThrough = false;
      else if (isStopped(payout.coin)) await waiting.wait([payout], 'PAUSED');
      else if (isHot && short.has(payout.coin)) await waiting.wait([payout], 'FUNDS');
      else if (waiting.isDue(payout)) {
        const took = await this.#takeOne(payout, hot, head, open);
        if (took === 'end') return false;
        if (took === 'short' && isHot) short.add(payout.coin);
        open = await openPayouts();
      }
    }
    return isThrough;
  }

  async #takeOne(
    payout: KeptPayout,
    hot: string,
    head: BlockHeader,
    open: readonly KeptPayout[],
  ): Promise<'next' | 'short' | 'end'> {
    const { network, store, networks, signing, clock } = this.#deps;
    const next = (await store.networks()).get(network)?.nextNonce ?? null;
    const from = payout.payer?.address ?? hot;
    const along = await this.#along(payout, open);
    const terms = await this.#fix(payout, from, { next, along }, await networks.all(), open).catch(
      this.#unlessRefused(payout),
    );
    if (terms === 'short') return 'short';
    if (terms === undefined) return 'next';
    const carried = othersOf(terms).flatMap(({ id }) => along.get(id) ?? []);
    // Another process has taken it, or payouts were paused.
    if (!(await store.take(payout, { terms, carried }, from, next, clock.now())))
      return payout.payer === undefined ? 'end' : 'next';
    return (await signing.sign(payout.id, head)) ? 'next' : 'end';
  }

  /** What waits for the same and can go along with a payout, by its name at the signer. */
  async #along(payout: KeptPayout, open: readonly KeptPayout[]): Promise<ReadonlyMap<string, KeptPayout>> {
    const { sender, store, waiting } = this.#deps;
    const isKind = payout.purpose === 'withdrawal' || payout.payer?.coins !== undefined;
    const isBatched = sender.carries !== undefined && isKind && !waiting.isAlone(payout);
    const along = new Map<string, KeptPayout>();
    if (!isBatched) return along;
    const { coin, purpose, confirmationsRequired } = payout;
    for (const other of open) {
      const isAlike =
        other.coin === coin && other.purpose === purpose && other.confirmationsRequired === confirmationsRequired;
      if (other.id === payout.id || !isAlike || !isUntaken(other) || waiting.isAlone(other)) continue;
      if (along.size < (sender.carries ?? 0)) along.set(await nameOf(store, other), other);
    }
    return along;
  }

  /** What decides the bytes of a payment now; `short` where its payer cannot pay it. */
  async #fix(
    payout: KeptPayout,
    from: string,
    { next, along }: { readonly next: number | null; readonly along: ReadonlyMap<string, KeptPayout> },
    coins: readonly CoinNetwork[],
    open: readonly KeptPayout[],
  ): Promise<Terms | 'short' | undefined> {
    const { network, sender, store, waiting } = this.#deps;
    if (payout.payer?.coins !== undefined) return this.#fixSweep(payout, along);
    const payment = paymentOf(payout, coins);
    const of = (one: KeptPayout) => paymentOf(one, coins);
    const others = [...along].map(([id, { address, units }]) => ({ id, address, units }));
    // Before the fee is known: a node that is asked for it refuses what the wallet cannot pay.
    const beside = open.filter((one) => sharesPayer(one, payout));
    const isShort = async (terms?: Terms) =>
      (await missing(sender, from, payment, terms, beside.filter(isUnderway), of)).size > 0;
    const exhausted = payout.payer && (await store.exhausted(network, payout.coin, payout.payer.address));
    const claimed = { next: payout.payer === undefined ? next : null, underway: termsOf(beside), others, exhausted };
    const isPoor = await isShort();
    const terms = isPoor ? 'short' : await sender.prepare(from, payment, claimed);
    if (terms === undefined) {
      waiting.postpone(payout);
      await waiting.wait([payout], 'WOULD_FAIL');
      const text = `${network} would undo payout ${payout.id}, or take too much for it; it waits for an operator`;
      await waiting.tell(`undone ${payout.id}`, 'payout-would-fail', text);
      return undefined;
    }
    if (terms !== 'short') waiting.ended(`undone ${payout.id}`);
    const short = `short ${payout.coin}`;
    if (terms !== 'short' && !(await isShort(terms))) {
      if (payout.payer === undefined) waiting.ended(short);
      return terms;
    }
    // A block may have come between two answers: only what is still short in the next run is told. Coins that are claimed
    // come back as change.
    const isClaimed = terms === 'short' && !isPoor && beside.some(isUnderway);
    const text = `The hot wallet of ${network} has too little for payouts of ${payout.coin}`;
    if (payout.waitsFor === 'FUNDS' && !isClaimed && payout.payer === undefined)
      await waiting.tell(short, 'hot-wallet-short', text);
    await waiting.wait([payout], 'FUNDS');
    return 'short';
  }

  /** Of what the node says nothing of this one alone, it waits: what comes behind it does not wait for that. */
  #unlessRefused(payout: KeptPayout): (error: unknown) => Promise<undefined> {
    const { waiting } = this.#deps;
    return async (error) => {
      if (!(error instanceof EstimateRefused)) throw error;
      waiting.postpone(payout);
      await waiting.wait([payout], 'NODE');
      return undefined;
    };
  }

  /** Of what pays with coins that were chosen for it. */
  async #fixSweep(payout: KeptPayout, along: ReadonlyMap<string, KeptPayout>): Promise<Terms | 'short'> {
    const { network, sender, signer, store, signing, waiting } = this.#deps;
    const { coinSweeps } = sender;
    if (coinSweeps === undefined) throw new Error(`${network} has no coins`);
    const sweepOf = ({ payer }: KeptPayout) => ({ index: payer?.index ?? 0, coins: payer?.coins ?? [] });
    const others = [...along].map(([id, other]) => ({ id, ...sweepOf(other) }));
    const terms = await coinSweeps.prepare(payout.address, sweepOf(payout), others);
    if (terms !== 'short') return terms;
    // What it would spend may be spent by itself: the database was set back since.
    const signed = await signer.signed(await nameOf(store, payout));
    const last = signed.at(-1);
    if (last === undefined) await waiting.wait([payout], 'FUNDS');
    else await signing.adopt(payout, last.id, signed);
    return 'short';
  }
}
