/** What a line of a statement says: what has moved the coin, and by how much, in the reader's words. */
import type { StatementEntry } from '@cambist/contract/statements.ts';
import type { TransferReason } from '@cambist/core/ledger/movements.ts';
import { declarationOf } from '@cambist/core/ledger/transfer.ts';
import { type Decimal, decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';

type Line = Pick<StatementEntry, 'cause' | 'pair' | 'amount'>;
type PositionCause = Extract<StatementEntry['cause'], `position-${string}` | 'loss-covered'>;

const isPositionCause = (cause: StatementEntry['cause']): cause is PositionCause =>
  cause.startsWith('position-') || cause === 'loss-covered';

const isIncoming = ({ amount }: Line): boolean => !amount.startsWith('-');

/** The base is received by a buy and given by a sell, the quote the other way round. */
function tradeOf(coin: string, line: Line): string {
  const pair = { pair: (line.pair ?? '').replace('-', '/') };
  const isBase = line.pair?.startsWith(`${coin}-`) ?? false;
  return isBase === isIncoming(line) ? t('Buy {{pair}}', pair) : t('Sell {{pair}}', pair);
}

/** What a position in a perpetual has moved. */
function positionCauseOf(cause: PositionCause): string {
  switch (cause) {
    case 'position-trade':
    case 'position-cover':
      return t('Futures trade');
    case 'position-liquidation':
      return t('Liquidation');
    case 'position-deleveraging':
      return t('Automatic deleveraging');
    case 'position-funding':
      return t('Funding payment');
    case 'position-leverage':
    case 'position-margin':
      return t('Position margin');
    case 'position-settlement':
      return t('Settlement of a futures market');
    case 'position-compensation':
    case 'loss-covered':
      return t('Paid by the insurance fund');
  }
}

/** What a movement of the ledger is called; the list of movements says it. */
function movementOf(cause: TransferReason, line: Line): string {
  const { label } = declarationOf(cause)!;
  const text = typeof label === 'string' ? label : label[isIncoming(line) ? 'incoming' : 'outgoing'];
  return t(text, { context: 'history' });
}

export function causeOf(coin: string, line: Line): string {
  const { cause } = line;
  if (cause === 'trade') return tradeOf(coin, line);
  if (cause === 'conversion') return t('Conversion');
  return isPositionCause(cause) ? positionCauseOf(cause) : movementOf(cause, line);
}

/** Where it can be found again: the pair of a fill and its trade, or the transfer of anything else. */
export function referenceOf({ cause, pair, reference }: Pick<StatementEntry, 'cause' | 'pair' | 'reference'>): string {
  if (cause === 'trade') return t('Trade {{id}}', { id: reference });
  if (cause === 'conversion')
    return t('{{pair}}, trade {{id}}', { pair: (pair ?? '').replace('-', '/'), id: reference });
  // What positions move has no number of its own.
  if (reference === '0') return (pair ?? '').replace('-', '/');
  return t('Entry {{id}}', { id: reference });
}

export function signed({ units, scale }: Decimal): string {
  const sign = units > 0n ? '+' : units < 0n ? '−' : '';
  return sign + formatExact({ units: units < 0n ? -units : units, scale });
}

export const amountOf = ({ amount }: Line): string => signed(decimal(amount));
