/** Whether an entry can be sent, with the exact texts of the specification where it has one. */
import { compare, type Decimal, decimal, parseDecimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { entryProblem, isBeyondRepair } from '../../../lib/typed-number.ts';
import { exitError, exitLabel } from './exits.ts';
import { visibleError } from './iceberg.ts';
import { bandProblem } from './market-distance.ts';
import {
  availableOf,
  enteredPrice,
  type OrderContext,
  type OrderSummary,
  scaleOf,
  stopsAtMarket,
  summarize,
} from './order-summary.ts';
import { priceLabel } from './summary-lines.ts';
import {
  EXITS,
  type ExitName,
  hasExits,
  isLimit,
  PRICES_OF,
  type PriceName,
  type Side,
  showsPart,
  type Ticket,
} from './ticket.ts';
import { triggerProblem, watchedPrice } from './triggers.ts';
import { scheduleLabel, twapErrors } from './twap.ts';

export type OrderErrors = Partial<
  Readonly<Record<PriceName | ExitName | 'amount' | 'visible' | 'duration' | 'interval' | 'target' | 'floor', string>>
>;

const LARGEST_CALLBACK: Decimal = { units: 50n, scale: 0 };

function tooSmall(ticket: Ticket, side: Side, summary: OrderSummary, context: OrderContext): string | undefined {
  const { minimums } = context;
  if (!minimums) return undefined;
  const smallest = side === 'BUY' ? minimums.account_balance_limit_spot : minimums.minimum_sell;
  const refusal = (value: string) =>
    side === 'BUY'
      ? t('Amount must be greater than minimum buy amount ({{value}})', { value })
      : t('Amount must be greater than minimum sell amount ({{value}})', { value });
  const counted = ticket.priceType === 'AMOUNT' || !summary.byTotal;
  if (counted && smallest !== '0' && summary.quantity && compare(summary.quantity, decimal(smallest)) < 0) {
    return refusal(`${formatExact(decimal(smallest))} ${context.base}`);
  }
  const least = minimums.minimum_total;
  if (least !== '0' && summary.total && compare(summary.total, decimal(least)) < 0) {
    return refusal(`${formatExact(decimal(least))} ${context.quote}`);
  }
  return undefined;
}

function amountError(ticket: Ticket, side: Side, context: OrderContext): string | undefined {
  const summary = summarize(ticket, side, context);
  const entered = parseDecimal(ticket[side].amount);
  if (!entered || entered.units === 0n) return t('Amount is required');
  return tooSmall(ticket, side, summary, context) ?? excessError(ticket, side, context);
}

/** Of an order for more than there is: it is stated while it is typed, as more digits cannot mend it. */
export function excessError(ticket: Ticket, side: Side, context: OrderContext): string | undefined {
  const summary = summarize(ticket, side, context);
  const needed = side === 'BUY' ? summary.total : summary.quantity;
  const available = availableOf(side, context);
  if (!needed || !available || compare(needed, available) <= 0) return undefined;
  const coin = side === 'BUY' ? context.quote : context.base;
  return t('Insufficient balance ({{balance}})', { balance: `${formatExact(available)} ${coin}` });
}

/** A sell stops below the price that is watched and takes its profit above it. */
function triggerError(name: PriceName, { triggerBy }: Ticket, side: Side, price: Decimal, context: OrderContext) {
  const above = (name === 'takeProfit') === (side === 'SELL');
  return triggerProblem(price, above, triggerBy, watchedPrice(triggerBy, context));
}

function priceError(name: PriceName, ticket: Ticket, side: Side, context: OrderContext): string | undefined {
  const price = enteredPrice(ticket, side, name);
  if (name === 'activation') return undefined;
  if (name === 'callback') {
    if (!price) return t('Trailing distance is required');
    return compare(price, LARGEST_CALLBACK) > 0 ? t('Use 0.01 to 50 percent') : undefined;
  }
  if (name === 'price' && stopsAtMarket(ticket, side)) return undefined;
  if (!price) return t('Price is required');
  if (name !== 'price') return triggerError(name, ticket, side, price, context);
  return isLimit(ticket.type) ? bandProblem(price, context) : undefined;
}

/** Texts that were refused. While one is typed, only what more digits cannot mend. */
export function entryErrors(ticket: Ticket, side: Side, context: OrderContext, isFinished = true): OrderErrors {
  const fields = [
    ...PRICES_OF[ticket.type],
    'amount',
    ...(hasExits(ticket) ? EXITS : []),
    ...(showsPart(ticket) ? (['visible'] as const) : []),
  ] as const;
  const problems = fields.flatMap((field) => {
    const entry = ticket[side][field];
    const scale = scaleOf(field, ticket, context);
    const problem = isFinished || isBeyondRepair(entry, scale) ? entryProblem(entry, scale) : undefined;
    return problem === undefined ? [] : [[field, problem] as const];
  });
  return Object.fromEntries(problems);
}

/** What is wrong with the fields beside the amount, for an order of so much. */
export function fieldErrors(
  ticket: Ticket,
  side: Side,
  quantity: Decimal | undefined,
  context: OrderContext,
): OrderErrors {
  const prices = PRICES_OF[ticket.type].map((name) => [name, priceError(name, ticket, side, context)] as const);
  const exits = EXITS.map((name) => [name, exitError(name, ticket, side, context)] as const);
  const visible = ['visible', visibleError(ticket, side, quantity, context)] as const;
  const found = Object.fromEntries([...prices, ...exits, visible].filter(([, error]) => error !== undefined));
  return { ...twapErrors(ticket, side, quantity, context), ...found };
}

/** Everything that is wrong with the entry; empty when it can be sent. */
export function orderErrors(ticket: Ticket, side: Side, context: OrderContext): OrderErrors {
  const { quantity } = summarize(ticket, side, context);
  const amount = amountError(ticket, side, context);
  return {
    ...fieldErrors(ticket, side, quantity, context),
    ...(amount && { amount }),
    ...entryErrors(ticket, side, context),
  };
}

/** What the form says: one thing at a time, in the order of its fields, with the field's name where there are several. */
export function firstError({ type }: Ticket, errors: OrderErrors): string | undefined {
  const names = PRICES_OF[type];
  const name = names.find((one) => errors[one]);
  const exit = EXITS.find((one) => errors[one]);
  if (name === undefined && exit !== undefined && !errors.amount) return `${exitLabel(exit)}: ${errors[exit]}`;
  if (name === undefined && errors.visible && !errors.amount) return `${t('Visible amount')}: ${errors.visible}`;
  const schedule = (['duration', 'interval'] as const).find((one) => errors[one]);
  if (name === undefined && schedule && !errors.amount) return `${scheduleLabel(schedule)}: ${errors[schedule]}`;
  if (name === undefined && errors.target && !errors.amount) return `${t('Target income')}: ${errors.target}`;
  if (name === undefined && errors.floor && !errors.amount) return `${t('Floor of total assets')}: ${errors.floor}`;
  if (name === undefined) return errors.amount;
  return names.length === 1 ? errors[name] : `${priceLabel(name, type)}: ${errors[name]}`;
}
