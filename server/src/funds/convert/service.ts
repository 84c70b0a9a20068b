/**
 * Conversions between USDT and a coin. A quote is the price at which the book has enough, with a margin for the seconds
 * that it is held; converting places a limit order at that price, all or nothing, so money only moves through the
 * matcher, at the prices of the book and never at a worse one than was quoted.
 */
import type { Order } from '@cambist/contract/trading.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { notional } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks, parseLots } from '@cambist/core/money/price.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import { amountProblem, type OrderError } from '../../exchange/orders/errors.ts';
import {
  type MarketLookup,
  newConversionName,
  type TradingPassword,
  type TradingService,
} from '../../exchange/orders/service.ts';
import type { Identity } from '../../platform/calls.ts';
import { createHeldQuotes } from './held-quotes.ts';
import {
  type Amounts,
  amountsOf,
  type Direction,
  type Level,
  type PricedSize,
  priceSize,
  type Size,
} from './quote-maths.ts';

export interface ConvertDeps {
  readonly markets: Pick<MarketLookup, 'resolve'>;
  readonly exchange: Pick<ExchangeView, 'depth' | 'openOrdersOf'>;
  readonly trading: Pick<TradingService, 'placeProven' | 'placedBefore' | 'limitsOf'>;
  readonly password: TradingPassword;
  /** Ticks, with a fraction, of a price from outside; undefined where and while nothing trustworthy is known. */
  readonly referenceOf: (market: number) => number | undefined;
  /** Ticks, of the market itself, which time moves and no trade; 0 where there is none. */
  readonly bandPrice: (market: number) => number;
  readonly clock: { now(): number };
}

export interface QuoteInput {
  readonly from: string;
  readonly to: string;
  readonly fromAmount?: string | undefined;
  readonly toAmount?: string | undefined;
}

/** What a client was told, and what it becomes. */
export interface HeldQuote extends Amounts {
  readonly market: MarketSpec;
  readonly direction: Direction;
  readonly priced: PricedSize;
  /** Ticks, with a fraction. */
  readonly reference: number;
  readonly quotedAt: number;
  readonly expiresAt: number;
}

export type ConvertError =
  | OrderError
  | { readonly kind: 'book-too-thin' }
  /** An order of the client's own comes before the book has enough; its price, in ticks. */
  | { readonly kind: 'own-order'; readonly price: number; readonly market: MarketSpec }
  | { readonly kind: 'no-price' }
  /** In the coin or in USDT, whichever is not reached. */
  | {
      readonly kind: 'below-minimum';
      readonly direction: Direction;
      readonly lots?: number;
      readonly money?: bigint;
      readonly market: MarketSpec;
    }
  | { readonly kind: 'quote-gone' }
  | { readonly kind: 'price-moved' };

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ConvertError };

const MONEY = 'USDT';
const QUOTE_MS = 10_000;
const LEVELS = 400;
/** How far the book may move while a quote is held, in parts per million: about as far as a quiet market does. */
const MARGIN_PPM = 1_000;

const fail = (error: ConvertError): { ok: false; error: ConvertError } => ({ ok: false, error });

/** The order's refusals that mean: the book is no longer as it was quoted. */
const MOVED: ReadonlySet<string> = new Set(['NOT_FILLABLE', 'NO_LIQUIDITY', 'PRICE_OUTSIDE_BAND']);

function readSize(market: MarketSpec, direction: Direction, { fromAmount, toAmount }: QuoteInput): Result<Size> {
  const field = fromAmount === undefined ? 'to_amount' : 'from_amount';
  const text = fromAmount ?? toAmount ?? '';
  const isMoney = (direction === 'BUY') === (fromAmount !== undefined);
  const scale = isMoney ? market.quote.scale : market.lotScale;
  const parsed = isMoney ? parseAmount(text, scale) : parseLots(text, market);
  if (!parsed.ok) return fail({ kind: 'invalid-field', field, detail: amountProblem(parsed.error, scale) });
  const { value } = parsed;
  return {
    ok: true,
    value: typeof value === 'bigint' ? { unit: 'money', money: value } : { unit: 'lots', lots: value },
  };
}

function minimumProblem(
  market: MarketSpec,
  direction: Direction,
  { price, lots }: PricedSize,
): ConvertError | undefined {
  if (lots < market.minimumLots) return { kind: 'below-minimum', market, direction, lots: market.minimumLots };
  if (notional(market, price, lots) >= market.minimumNotional) return undefined;
  return { kind: 'below-minimum', market, direction, money: market.minimumNotional };
}

/** The best price of a client's own orders on the other side, which an order of the client's never trades with; in ticks. */
function ownPrice(exchange: ConvertDeps['exchange'], owner: number, market: number, side: Side): number | undefined {
  const own = exchange.openOrdersOf(owner).filter((order) => order.market === market && order.side === side);
  const prices = own.map(({ price }) => price);
  if (prices.length === 0) return undefined;
  return side === SELL ? Math.min(...prices) : Math.max(...prices);
}

/** The price that a size needs of the other side of the book, as far as no order of the client's own is met. */
function pricedBy(
  exchange: ConvertDeps['exchange'],
  owner: number,
  market: MarketSpec,
  direction: Direction,
  size: Size,
): Result<PricedSize> {
  const side = direction === 'BUY' ? SELL : BUY;
  const flat = exchange.depth(market.id, side, LEVELS);
  const levels = Array.from({ length: flat.length / 3 }, (_, index): Level => {
    const [price = 0, lots = 0, orders = 0] = flat.slice(index * 3, index * 3 + 3);
    return { price, lots, orders };
  });
  const own = ownPrice(exchange, owner, market.id, side);
  const isBefore = ({ price }: Level) => own === undefined || (side === SELL ? price < own : price > own);
  const value = priceSize(market, direction, levels.filter(isBefore), size, MARGIN_PPM);
  if (value !== undefined) return { ok: true, value };
  const isInTheWay = own !== undefined && priceSize(market, direction, levels, size, MARGIN_PPM) !== undefined;
  return fail(isInTheWay ? { kind: 'own-order', price: own, market } : { kind: 'book-too-thin' });
}

export function createConvertService(deps: ConvertDeps) {
  const { markets, exchange, trading, clock } = deps;
  const quotes = createHeldQuotes<HeldQuote>(clock, QUOTE_MS);

  async function quote(identity: Identity, input: QuoteInput): Promise<Result<HeldQuote & { readonly id: string }>> {
    const direction: Direction = input.from.toUpperCase() === MONEY ? 'BUY' : 'SELL';
    const coin = direction === 'BUY' ? input.to : input.from;
    const market = markets.resolve(coin);
    if (market === undefined || market.perpetual !== undefined) return fail({ kind: 'unknown-pair', name: coin });
    const size = readSize(market, direction, input);
    if (!size.ok) return size;
    const limits = await trading.limitsOf(identity, market.symbol);
    if (!limits.ok) return limits;
    const reference = deps.referenceOf(market.id) ?? deps.bandPrice(market.id);
    if (reference <= 0) return fail({ kind: 'no-price' });
    const found = pricedBy(exchange, identity.clientId, market, direction, size.value);
    if (!found.ok) return found;
    const priced = found.value;
    const small = minimumProblem(market, direction, priced);
    if (small) return fail(small);
    const amounts = amountsOf(market, direction, priced, limits.value.takerPpm);
    const quotedAt = clock.now();
    const held = { ...amounts, market, direction, priced, reference, quotedAt, expiresAt: quotedAt + QUOTE_MS };
    return { ok: true, value: { ...held, id: quotes.hold(identity.clientId, held) } };
  }

  async function convert(identity: Identity, id: string, password: string): Promise<Result<Order>> {
    // A conversion always asks for the password, also while the session is unlocked for orders.
    if (password === '') return fail({ kind: 'password-required' });
    const held = quotes.find(identity.clientId, id);
    if ((await deps.password.check(identity, password)) !== 'ok') return fail({ kind: 'wrong-password' });
    // The quote's id is the key of the command: the second use gets the answer of the first, also after a restart.
    const intent = { key: `convert:${id}`, fingerprint: 'convert' };
    const result = held
      ? await trading.placeProven(identity, orderOf(held), intent)
      : await trading.placedBefore(identity, intent);
    if (result === undefined) return fail({ kind: 'quote-gone' });
    const hasMoved = !result.ok && result.error.kind === 'rejected' && MOVED.has(result.error.reason);
    return hasMoved ? fail({ kind: 'price-moved' }) : result;
  }

  return { quote, convert };
}

function orderOf({ market, direction, priced }: HeldQuote) {
  return {
    symbol: market.symbol,
    side: direction,
    type: 'limit' as const,
    timeInForce: 'FOK' as const,
    price: formatTicks(priced.price, market),
    quantity: formatLots(priced.lots, market),
    clientOrderId: newConversionName(),
  };
}

export type ConvertService = ReturnType<typeof createConvertService>;
