/** What an order that trades at once would leave behind what it opens, in the reference exchange: the whole sum, anew each time. */
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { initialMargin, notionalOf, perpetualTerms, requirement } from '../margin/perpetual.ts';
import type { MarketSpec } from '../money/market.ts';
import { divCeil } from '../money/rounding.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BUY } from '../terms/order-terms.ts';
import { closes, legNamed } from './reference-legs.ts';
import type { Arriving } from './reference-matching.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import type { ReferenceState } from './reference-state.ts';

export type OpeningTerms = Pick<PlaceOrder, 'owner' | 'side' | 'reduceOnly' | 'positionSide'>;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

export function opensBelowMaintenance(
  state: ReferenceState,
  perpetuals: ReferencePerpetuals,
  spec: MarketSpec,
  order: OpeningTerms,
  { traded, cost, worst }: Arriving,
): boolean {
  const mark = perpetuals.markOf(spec.id);
  const holding = perpetuals.holding(order.owner, spec.id, legNamed(order));
  const { position, isIsolated, leverage, margin } = holding;
  const had = position?.lots ?? 0;
  const closed = closes(order.side, holding) ? Math.min(traded, had) : 0;
  const opened = traded - closed;
  if (opened === 0 || mark === 0) return false;
  const terms = perpetualTerms(spec, spec.perpetual!);
  const needs = (one: HoldingRecord) => {
    const { spec: its } = state.market(one.market)!;
    const at = perpetuals.markOf(one.market);
    return requirement(
      perpetualTerms(its, its.perpetual!),
      notionalOf(perpetualTerms(its, its.perpetual!), at, one.position!.lots),
    );
  };
  const gain = (lots: number, value: bigint) =>
    (notionalOf(terms, mark, lots) - value) * (order.side === BUY ? 1n : -1n);
  const fee = divCeil(cost * BigInt(spec.perpetual!.takerPpm), 1_000_000n) + BigInt(traded);
  const cross = perpetuals.crossOf(order.owner, spec.quote.id);
  const buckets = [Bucket.AVAILABLE, Bucket.HELD].map((bucket) =>
    state.balance(accountKey(order.owner, Wallet.FUTURE, bucket, spec.quote.id)),
  );
  const equity = sum([...buckets, ...cross.map((one) => perpetuals.worth(one))]);
  if (!isIsolated) {
    const others = cross.filter((one) => one.market !== spec.id || one.leg !== holding.leg);
    const needed = requirement(terms, notionalOf(terms, mark, had - closed + opened));
    return equity + gain(traded, cost) - fee <= sum(others.map(needs)) + needed;
  }
  let own = 0n;
  let lots = opened;
  let value = cost;
  if (closed === 0) {
    const left = margin - perpetuals.owed(holding);
    own = (left < 0n ? 0n : left) + perpetuals.profit(holding);
    lots += had;
  } else value = notionalOf(terms, worst, opened);
  own += initialMargin(value, leverage) + gain(opened, value);
  if (own <= requirement(terms, notionalOf(terms, mark, lots))) return true;
  // Each fill may round up the margin that it takes, too.
  const taken = initialMargin(cost, leverage) + fee + BigInt(traded);
  return cross.length > 0 && equity - taken <= sum(cross.map(needs));
}
