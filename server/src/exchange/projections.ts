/** The projection parts of the exchange, in the order in which they are restored. */
import type { ProjectionPart } from './engine/projection.ts';
import { futuresProjection } from './futures/projection.ts';
import { instrumentProjection } from './instruments/projection.ts';
import { ledgerProjection } from './ledger/projection.ts';
import { priceBarProjection } from './market-data/price-bar-projection.ts';
import { orderProjection } from './orders/projection.ts';

export const exchangeProjections: readonly ProjectionPart[] = [
  ...[instrumentProjection, ledgerProjection, orderProjection, futuresProjection, priceBarProjection],
];
