/** Follows signed payouts on their chain until what has become of them stays. */
import type { Statement } from '../../platform/database.ts';
import type { SignedAttempt } from '../../signer/service.ts';
import {
  type BlockHeader,
  type Chain,
  lastsUntil,
  NATIVE_COINS,
  type Sender,
  type Terms,
  type TransactionStatus,
} from '../chains/service.ts';
import type { AddressChange } from '../deposits/service.ts';
import type { CostScale, InBlock, KeptPayout } from './kept-payout.ts';
import { changesOf } from './moved.ts';
import type { Payment, Purpose } from './service.ts';
import type { PayoutStore } from './store.ts';

export interface FollowingDeps {
  readonly chain: Pick<Chain, 'network' | 'head'>;
  readonly sender: Sender;
  readonly store: PayoutStore;
  /** The asset of a coin in the ledger; undefined for one that the exchange does not list. */
  readonly assetByCode: (code: string) => { readonly id: number; readonly scale: number } | undefined;
  /** What the client pays for a withdrawal, in smallest units of the ledger; undefined where it is not there any more. */
  readonly chargedFor: (payout: Payment) => bigint | undefined;
  /** What the signer has signed for a payout. Rejects with `SignerAway` while it cannot be asked. */
  readonly signedFor: (payout: Payment) => Promise<readonly SignedAttempt[]>;
  /** Whether the chain is as it is believed to be: nothing ends otherwise. */
  readonly isTrusted: () => boolean;
  /** For the transaction that ends a payout: what it has changed at addresses of clients is kept. */
  readonly moved: (changes: readonly AddressChange[]) => readonly Statement[];
  /** For the transaction that it is about; logged at once. */
  readonly alarm: (kind: string, detail: string) => Statement;
  readonly clock: { now(): number };
}

/** As an alarm names them. */
const purposes: Readonly<Record<Purpose, string>> = {
  ...{
    withdrawal: 'a withdrawal, which is given back,',
    'top-up': 'a top-up',
    'to-cold': 'a payment to the cold wallet',
  },
  ...{ sweep: 'a sweep', refill: 'a refill of the hot wallet' },
};

/** What it has changed at the address of a client. */
const movedBy = ({ payer, address, ...payout }: KeptPayout, cost: bigint, isUndone: boolean) =>
  changesOf({ ...payout, client: payer?.address ?? address, cost, isUndone, coins: payer?.coins });

type Mined = Extract<TransactionStatus, { state: 'MINED' }> & { readonly transaction: string };

export class Following {
  readonly #deps: FollowingDeps;

  constructor(deps: FollowingDeps) {
    this.#deps = deps;
  }

  /**
   * Writes down where a payout is.
   * @returns `done` where nothing is to be sent for now, `unclear` where nothing but the same bytes may be
   */
  async look(payout: KeptPayout, head: BlockHeader): Promise<'done' | 'pooled' | 'unknown' | 'unclear'> {
    const { sender, store, clock } = this.#deps;
    // Any attempt may be the one that is mined, the older ones too.
    const signed = payout.attempts.flatMap(({ transaction }) => transaction ?? []).reverse();
    let newest: TransactionStatus['state'] | undefined;
    let isUnclear = false;
    for (const transaction of signed) {
      const status = await sender.status(transaction);
      newest ??= status.state;
      isUnclear ||= status.state === 'UNCLEAR';
      if (status.state !== 'MINED') continue;
      await this.#mined(payout, { ...status, transaction }, head);
      return 'done';
    }
    if (isUnclear) return 'unclear';
    if (!(await this.#isFree(payout, head))) {
      await this.#taken(payout, signed, head);
      return 'done';
    }
    if (payout.state === 'MINED') {
      await store.unmined(payout, clock.now());
      // It is sent again in the next run, as it is then.
      return 'done';
    }
    return newest === 'POOLED' ? 'pooled' : 'unknown';
  }

  /**
   * Whether any attempt may be in a block: asked once more where the chain says that their time is over, since it may have
   * learned both just now.
   */
  async mayBeMined({ attempts }: KeptPayout): Promise<boolean> {
    for (const { transaction } of attempts) {
      const state = transaction === null ? undefined : (await this.#deps.sender.status(transaction)).state;
      if (state === 'MINED' || state === 'UNCLEAR') return true;
    }
    return false;
  }

  /** Ends a payment that was signed elsewhere and that no block takes any more: nothing here can sign it again. */
  async lapsed(payout: KeptPayout, terms: Terms): Promise<boolean> {
    const { sender, store, clock, isTrusted, alarm, chain } = this.#deps;
    const until = lastsUntil(terms);
    if (until === null || until > clock.now() || !isTrusted()) return false;
    if ((await sender.raise(terms, { from: payout.sender, underway: [] })) === undefined) return false;
    if (await this.mayBeMined(payout)) return false;
    const text = `No block of ${chain.network} has taken ${purposes[payout.purpose]} in its time: payout ${payout.id}`;
    return store.failed(payout, [alarm('payout-lapsed', text)], clock.now());
  }

  async #mined(payout: KeptPayout, { transaction, height, isUndone, cost }: Mined, head: BlockHeader): Promise<void> {
    const { store, clock, chain, isTrusted, alarm } = this.#deps;
    const block: InBlock = {
      transaction,
      height,
      cost,
      isUndone,
      confirmations: Math.max(1, head.height - height + 1),
    };
    const { confirmationsRequired: required } = payout;
    if (block.confirmations >= required && isTrusted()) {
      // The chain may have been shortened since its head was asked for.
      const now = await chain.head();
      const status = await this.#deps.sender.status(transaction);
      const isDeep = status.state === 'MINED' && status.height === height && now.height - height + 1 >= required;
      if (!isDeep) return;
      const told = isUndone
        ? [alarm('payout-undone', `${payout.network} has undone ${purposes[payout.purpose]} by payout ${payout.id}`)]
        : [];
      const along = await store.carriedBy(payout.id);
      const moved = this.#deps.moved([payout, ...along].flatMap((one) => movedBy(one, cost, isUndone)));
      const carried = along.map((one) => ({ id: one.id, charged: this.#deps.chargedFor(one) }));
      const charged = this.#deps.chargedFor(payout);
      const ending = { scale: this.#costScale(), charged, carried, told: [...told, ...moved] };
      await store.ended(payout, isUndone ? 'FAILED' : 'FINAL', block, ending, clock.now());
      return;
    }
    const { state, confirmations } = payout;
    const isNews = state !== 'MINED' || confirmations !== block.confirmations || payout.transaction !== transaction;
    if (isNews) await store.mined(payout, block, clock.now());
  }

  /** Whether any of its transactions could still be mined. */
  async #isFree({ sender: from, attempts }: KeptPayout, { height }: BlockHeader): Promise<boolean> {
    for (const { raw, terms } of attempts) {
      if (raw !== null && (await this.#deps.sender.isFree(from, terms, height))) return true;
    }
    return false;
  }

  /** The transaction that none of its own can be mined beside, by the blocks up to a height. */
  async #usedBy({ sender: from, attempts }: KeptPayout, height: number): Promise<string | undefined> {
    let by: string | undefined;
    for (const { raw, terms } of attempts) {
      if (raw === null) continue;
      by = await this.#deps.sender.usedBy(from, terms, height);
      if (by === undefined) return undefined;
    }
    return by;
  }

  /** What it claims was used. Only another transaction that is seen in a block that stays means that it can never pay. */
  async #taken(payout: KeptPayout, signed: readonly string[], head: BlockHeader): Promise<void> {
    const { store, clock, isTrusted, alarm } = this.#deps;
    const depth = head.height - payout.confirmationsRequired + 1;
    const by = depth < 0 || !isTrusted() ? undefined : await this.#usedBy(payout, depth);
    if (by === undefined || signed.includes(by)) {
      if (payout.state === 'MINED') await store.unmined(payout, clock.now());
      return;
    }
    // This database may have been set back, and have forgotten a replacement that the signer has signed.
    const known = await this.#deps.signedFor(payout);
    if (known.some(({ transaction }) => transaction === by)) {
      await store.adopt(payout, known, payout.sender, clock.now());
      return;
    }
    const text = `Transaction ${by} of ${payout.network} has taken the place of payout ${payout.id}`;
    await store.failed(payout, [alarm('payout-replaced', `${text}, by the same keys`)], clock.now());
  }

  /** How a cost goes to the ledger; undefined where the chain's own coin is not listed. */
  #costScale(): CostScale | undefined {
    const { coin, scale: chain } = NATIVE_COINS[this.#deps.chain.network];
    const asset = this.#deps.assetByCode(coin);
    if (asset === undefined) return undefined;
    return {
      asset: asset.id,
      divisor: 10n ** BigInt(Math.max(0, chain - asset.scale)),
      multiplier: 10n ** BigInt(Math.max(0, asset.scale - chain)),
    };
  }
}
