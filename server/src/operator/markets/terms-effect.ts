/** Whom new terms of a perpetual affect at the present marks, by the functions that the engine decides with. */
import { setImmediate as pause } from 'node:timers/promises';
import type { TermsEffect } from '@cambist/contract/admin-futures.ts';
import { fundingOwed } from '@cambist/core/margin/funding.ts';
import type { HoldingRecord } from '@cambist/core/margin/holdings.ts';
import { notionalOf, type PerpetualTerms, perpetualTerms, requirement } from '@cambist/core/margin/perpetual.ts';
import { isLiquidated } from '@cambist/core/margin/thresholds.ts';
import type { PerpetualSpec } from '@cambist/core/money/market.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import type { PerpetualMarket } from '../../exchange/futures/service.ts';

/** Looked at in one piece of the process's time. */
const AT_ONCE = 500;

type Open = HoldingRecord & { readonly position: NonNullable<HoldingRecord['position']> };

const isOpen = (one: HoldingRecord): one is Open => one.position !== undefined;

interface Compared {
  readonly before: PerpetualTerms;
  readonly after: PerpetualTerms;
  readonly mark: number;
  readonly fundingIndex: bigint;
}

/** Whether new terms liquidate what present ones do not. A cross wallet has one position in the market at most. */
function isEnded(view: ExchangeView, market: PerpetualMarket, one: Open, compared: Compared): boolean {
  const { before, after, mark, fundingIndex } = compared;
  const { position, isIsolated, margin, owner } = one;
  if (isIsolated) {
    const left = margin - fundingOwed(position.direction, position.lots, one.fundingIndex, fundingIndex);
    return !isLiquidated(before, position, left, mark) && isLiquidated(after, position, left, mark);
  }
  const value = notionalOf(after, mark, position.lots);
  const { equity, required } = view.marginWalletOf(owner, market.quote.id);
  const raised = required - requirement(before, value) + requirement(after, value);
  return equity > required && equity <= raised;
}

export async function effectOf(
  view: ExchangeView,
  market: PerpetualMarket,
  perpetual: PerpetualSpec,
): Promise<Omit<TermsEffect, 'cancelled_orders'>> {
  const open = view.holdings().filter((one): one is Open => one.market === market.id && isOpen(one));
  const mark = view.marketState(market.id).markPrice;
  const { fundingIndex } = view.perpetualState(market.id);
  const [before, after] = [perpetualTerms(market, market.perpetual), perpetualTerms(market, perpetual)];
  const compared = { before, after, mark, fundingIndex };
  let [raised, ended] = [0, 0];
  for (const [index, one] of open.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await pause();
    const value = notionalOf(after, mark, one.position.lots);
    if (requirement(after, value) > requirement(before, value)) raised += 1;
    if (mark > 0 && isEnded(view, market, one, compared)) ended += 1;
  }
  return { positions: open.length, raised_positions: raised, liquidated_accounts: ended };
}
