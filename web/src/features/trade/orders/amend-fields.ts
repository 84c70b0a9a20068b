/** Which figures of an open order can be changed, and the change as lines and as a call. */
import type { Order } from '@cambist/contract/trading.ts';
import { compare, decimal, parseDecimal } from '../../../lib/decimal.ts';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
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

/** A trailing stop follows by itself, and what is gone cannot change. */
export function canAmend(order: Order): boolean {
  if (order.trigger?.status === 'untriggered') return order.trigger.kind !== 'trailing_stop';
  return order.type !== 'market' && order.state === 'PENDING';
}

export type AmendErrors = Partial<Readonly<Record<AmendField, string>>>;

/** Figures that are missing or zero; a text that was refused is one of them, and its field says why. */
export function amendErrors(order: Order, changes: AmendChanges): AmendErrors {
  const wrong = amendLines(order).flatMap(({ field }) => {
    const after = changes[field];
    if (after === undefined || (parseDecimal(after)?.units ?? 0n) > 0n) return [];
    return [[field, field === 'quantity' ? t('Amount is required') : t('Price is required')] as const];
  });
  return Object.fromEntries(wrong);
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
