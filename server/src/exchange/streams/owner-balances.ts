import type { StreamBalance } from '@cambist/contract/stream.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { accountKey, accountParts, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { ExchangeView } from '../engine/feed.ts';
import { describeStreamBalance } from './describe.ts';

/**
 * The spot balances of clients who listen, as of committed batches. They begin as memory has them, which may be ahead of
 * the commit: until the batch that memory holds is committed, nothing of them is told.
 */
export class OwnerBalances {
  readonly #view: Pick<ExchangeView, 'accountsOf' | 'balance'>;
  readonly #assetById: (id: number) => Asset | undefined;
  readonly #owners = new Map<number, { readonly balances: Map<number, bigint>; readonly batch: number }>();

  constructor(view: Pick<ExchangeView, 'accountsOf' | 'balance'>, assetById: (id: number) => Asset | undefined) {
    this.#view = view;
    this.#assetById = assetById;
  }

  /** Begins to follow an owner, as of the batch that memory holds now. @returns the batch from which on it is known */
  follow(owner: number, appliedBatch: number): number {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known.batch;
    const balances = new Map(this.#view.accountsOf(owner).map((key) => [key, this.#view.balance(key)]));
    this.#owners.set(owner, { balances, batch: appliedBatch });
    return appliedBatch;
  }

  forget(owner: number): void {
    this.#owners.delete(owner);
  }

  /** Takes over what a committed batch changed. @returns which assets of which owners that follow */
  add(batch: number, events: EventBatch): Map<number, Set<number>> {
    const changed = new Map<number, Set<number>>();
    if (this.#owners.size === 0) return changed;
    for (let index = 0; index < events.balanceCount; index += 1) {
      const key = events.balanceKeys[index]!;
      const { owner, wallet, asset } = accountParts(key);
      const known = this.#owners.get(owner);
      if (known === undefined || batch <= known.batch) continue;
      known.balances.set(key, events.balances[index]!);
      if (wallet !== Wallet.SPOT) continue;
      const assets = changed.get(owner) ?? new Set();
      changed.set(owner, assets.add(asset));
    }
    return changed;
  }

  /** Every spot balance that was ever used. */
  all(owner: number, time: number): StreamBalance[] {
    const keys = [...(this.#owners.get(owner)?.balances.keys() ?? [])].map(accountParts);
    const spot = new Set(keys.filter(({ wallet }) => wallet === Wallet.SPOT).map(({ asset }) => asset));
    return this.some(owner, spot, time);
  }

  some(owner: number, assets: Iterable<number>, time: number): StreamBalance[] {
    const balances = this.#owners.get(owner)?.balances;
    const of = (bucket: Bucket, asset: number) => balances?.get(accountKey(owner, Wallet.SPOT, bucket, asset)) ?? 0n;
    return [...assets].flatMap((id) => {
      const asset = this.#assetById(id);
      if (asset === undefined) return [];
      const frozen = of(Bucket.HELD, id) + of(Bucket.PENDING, id);
      return [describeStreamBalance(asset, of(Bucket.AVAILABLE, id), frozen, time)];
    });
  }
}
