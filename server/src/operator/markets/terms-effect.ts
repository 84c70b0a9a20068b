/** Whom new terms of a perpetual affect at the present marks, by the functions that the engine decides with. */
import { setImmediate as pause } from 'node:timers/promises';
import type { TermsEffect } from '@cambist/contract/admin-futures.ts';
import { fundingOwed } from '@cambist/core/margin/funding.ts';
import { notionalOf, type PerpetualTerms, perpetualTerms, requirement } from '@cambist/core/margin/perpetual.ts';
import { isLiquidated } from '@cambist/core/margin/thresholds.ts';
import type { PerpetualSpec } from '@cambist/core/money/market.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import type { PerpetualMarket } from '../../exchange/futures/service.ts';
import { type OpenHolding, openIn } from './open-positions.ts';

/** Looked at in one piece of the process's time. */
const AT_ONCE = 500;

interface Compared {
  readonly before: PerpetualTerms;
  readonly after: PerpetualTerms;
  readonly mark: number;
  readonly fundingIndex: bigint;
}

/** Whether new terms liquidate an isolated position that present ones do not. */
function isEnded(
  { position, margin, fundingIndex }: OpenHolding,
  { before, after, mark, fundingIndex: now }: Compared,
): boolean {
  const left = margin - fundingOwed(position.direction, position.lots, fundingIndex, now);
  return !isLiquidated(before, position, left, mark) && isLiquidated(after, position, left, mark);
}

/** How much more a position would have to keep. */
function raiseOf({ position }: OpenHolding, { before, after, mark }: Compared): bigint {
  const value = notionalOf(after, mark, position.lots);
  return requirement(after, value) - requirement(before, value);
}

/** Owners whose cross positions in the market, both legs together, would have to keep so much more. */
function crossRaises(open: readonly OpenHolding[], compared: Compared): ReadonlyMap<number, bigint> {
  const raises = new Map<number, bigint>();
  for (const one of open) {
    if (!one.isIsolated) raises.set(one.owner, (raises.get(one.owner) ?? 0n) + raiseOf(one, compared));
  }
  return raises;
}

async function crossEnded(view: ExchangeView, asset: number, raises: ReadonlyMap<number, bigint>): Promise<number> {
  let [looked, ended] = [0, 0];
  for (const [owner, raise] of raises) {
    looked += 1;
    if (looked % AT_ONCE === 0) await pause();
    const { equity, required } = view.marginWalletOf(owner, asset);
    if (equity > required && equity <= required + raise) ended += 1;
  }
  return ended;
}

export async function effectOf(
  view: ExchangeView,
  market: PerpetualMarket,
  perpetual: PerpetualSpec,
): Promise<Omit<TermsEffect, 'cancelled_orders'>> {
  const open = openIn(view, market.id);
  const mark = view.marketState(market.id).markPrice;
  const { fundingIndex } = view.perpetualState(market.id);
  const [before, after] = [perpetualTerms(market, market.perpetual), perpetualTerms(market, perpetual)];
  const compared = { before, after, mark, fundingIndex };
  const raised = open.filter((one) => raiseOf(one, compared) > 0n);
  // Without a mark nothing is liquidated.
  const isolated = mark === 0 ? [] : open.filter((one) => one.isIsolated && isEnded(one, compared));
  const cross = mark === 0 ? 0 : await crossEnded(view, market.quote.id, crossRaises(open, compared));
  return {
    positions: open.length,
    raised_positions: raised.length,
    liquidated_accounts: isolated.length + cross,
  };
}
