/** The prices that trigger orders: what they are called, and on which side of one a trigger has to be. */
import type { TriggerSource } from '@cambist/contract/conditional-orders.ts';
import { compare, type Decimal, decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import type { OrderContext } from './order-summary.ts';

export const sourceLabel = (source: TriggerSource): string =>
  ({ mark: t('Mark price'), last: t('Last price'), index: t('Index price') })[source];

/** Where it is said that they are prices. */
export const shortSourceLabel = (source: TriggerSource): string =>
  ({ mark: t('Mark'), last: t('Last'), index: t('Index') })[source];

/** How the last price triggers; the other prices do at once. @param isPerpetual whether there is a mark that may confirm it */
export const lastPriceNote = (isPerpetual: boolean): string =>
  isPerpetual
    ? t(
        'The last price triggers once it has stayed there for 10 seconds, or at once if the mark price has got there too.',
      )
    : t(
        'The last price triggers once it has stayed there for 10 seconds, or at once if other markets have got there too.',
      );

/** Undefined while it is not known. */
export function watchedPrice(source: TriggerSource, { lastPrice, marks }: Pick<OrderContext, 'lastPrice' | 'marks'>) {
  return source === 'last' ? lastPrice : marks?.[source] || undefined;
}

/** A trigger that the price which is watched has passed would trigger at once, and the engine refuses it. */
export function triggerProblem(
  price: Decimal,
  above: boolean,
  source: TriggerSource,
  watched: string | undefined,
): string | undefined {
  if (watched === undefined) {
    return source === 'mark'
      ? t('The mark price is not known at the moment')
      : t('The index price is not known at the moment');
  }
  const against = compare(price, decimal(watched));
  if (against !== 0 && against > 0 === above) return undefined;
  switch (source) {
    case 'last':
      return above ? t('Must be above the last price') : t('Must be below the last price');
    case 'mark':
      return above ? t('Must be above the mark price') : t('Must be below the mark price');
    case 'index':
      return above ? t('Must be above the index price') : t('Must be below the index price');
  }
}
