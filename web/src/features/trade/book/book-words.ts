import { t } from '../../../lib/i18n.ts';

/** What the names of the rows of a side are made of, beside their figures. */
export const bookWords = (side: 'asks' | 'bids') => ({
  side: side === 'asks' ? t('Ask', { context: 'row' }) : t('Bid', { context: 'row' }),
  amount: t('Amount'),
  total: t('Total'),
  act: t('Puts this price in the order form'),
});
