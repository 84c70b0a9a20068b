/** Which figures of an open order can be changed, and the change as lines and as a call. */
import type { Order } from '@cambist/contract/trading.ts';
import { compare, type Decimal, decimal, parseDecimal } from '../../../lib/decimal.ts';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { bandProblem, farPriceWarning, type MarketNow } from '../ticket/market-distance.ts';
import type { AmendChanges, AmendField } from './use-amend.ts';

export interface AmendLine {
  readonly field: AmendField;
  readonly title: string;
  readonly before: string;
}

/** The order's own figures, those that it has. */
export function amendLines(order: Order): AmendLine[] {
  const { trigger } = order;
  if (trigger?.status !== 'untriggered') {
    return [
      { field: 'price', title: t('Price'), before: order.final_price },
      { field: 'quantity', title: t('Amount'), before: order.number_of_order },
    ];
  }
  const lines: AmendLine[] = [
    { field: 'take_profit_price', title: t('Take-profit price'), before: trigger.take_profit_price },
    { field: 'take_profit_limit_price', title: t('Take-profit limit price'), before: trigger.take_profit_limit_price },
    { field: 'stop_price', title: t('Stop price'), before: trigger.stop_price },
    { field: 'stop_limit_price', title: t('Stop limit price'), before: trigger.stop_limit_price },
  ];
  return lines.filter(({ before }) => before !== '');
}

/** A trailing stop follows by itself, a TWAP keeps its schedule, and what is gone cannot change. */
export function canAmend(order: Order): boolean {
  if (order.trigger?.status === 'untriggered') return order.trigger.kind !== 'trailing_stop';
  return order.type !== 'market' && order.state === 'PENDING' && !order.twap;
}

export type AmendErrors = Partial<Readonly<Record<AmendField, string>>>;

/** The limit that an order in the book is changed to; undefined where that stays, or is no price. */
function newLimit(order: Order, changes: AmendChanges): Decimal | undefined {
  const price = parseDecimal(changes.price ?? '');
  return price && price.units > 0n && compare(price, decimal(order.final_price)) !== 0 ? price : undefined;
}

/**
 * Figures that are missing or zero; a text that was refused is one of them, and its field says why. And a limit that the
 * exchange would refuse, as the order form says it.
 * @param market undefined where nothing is known of it
 */
export function amendErrors(order: Order, changes: AmendChanges, market: MarketNow | undefined): AmendErrors {
  const wrong = amendLines(order).flatMap(({ field }) => {
    const after = changes[field];
    if (after === undefined || (parseDecimal(after)?.units ?? 0n) > 0n) return [];
    return [[field, field === 'quantity' ? t('Amount is required') : t('Price is required')] as const];
  });
  const limit = newLimit(order, changes);
  const outside = limit && market && bandProblem(limit, market);
  return { ...Object.fromEntries(wrong), ...(outside && { price: outside }) };
}

/** The order form's warning of a limit far through the market. */
export function amendWarning(order: Order, changes: AmendChanges, market: MarketNow | undefined): string | undefined {
  const limit = newLimit(order, changes);
  return limit && market && farPriceWarning(limit, order.delegate_type, market);
}

/** Only what differs from the order; figures with errors are none. */
export function realChanges(order: Order, changes: AmendChanges): AmendChanges {
  const lines = amendLines(order);
  const differing = lines.flatMap(({ field, before }) => {
    const after = parseDecimal(changes[field] ?? '');
    if (!after || after.units <= 0n || compare(after, decimal(before)) === 0) return [];
    return [[field, changes[field] ?? ''] as const];
  });
  return Object.fromEntries(differing);
}

/** `Price 60,000.0, Amount 0.02`: what an order has become. */
export function changesText(order: Order, changes: AmendChanges): string {
  return amendLines(order)
    .flatMap(({ field, title }) => (changes[field] ? [`${title} ${localizeNumber(changes[field])}`] : []))
    .join(', ');
}
