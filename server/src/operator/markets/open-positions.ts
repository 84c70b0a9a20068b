/** Open positions of one market, the market maker's among them. */
import type { HoldingRecord } from '@cambist/core/margin/holding-record.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';

export type OpenHolding = HoldingRecord & { readonly position: NonNullable<HoldingRecord['position']> };

const isOpen = (one: HoldingRecord): one is OpenHolding => one.position !== undefined;

export const openIn = (view: Pick<ExchangeView, 'holdings'>, market: number): OpenHolding[] =>
  view.holdings().filter((one): one is OpenHolding => one.market === market && isOpen(one));
