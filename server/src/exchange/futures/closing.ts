/** What a position asks for: to close it or a part, to turn it around, and to open one by its margin. What opens is an ordinary order. */
import type { Order } from '@cambist/contract/trading.ts';
import { namedLeg, positionSideOf } from '@cambist/core/events/event-record.ts';
import { closingSide } from '@cambist/core/margin/holdings.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { highestInBand, lowestInBand } from '@cambist/core/money/market.ts';
import { quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { divFloor } from '@cambist/core/money/rounding.ts';
import { NET, type PositionLeg, type TimeInForce } from '@cambist/core/terms/order-terms.ts';
import type { Identity } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { ExchangeView } from '../engine/feed.ts';
import { readLimitPrice, readPrice, readQuantity, readQuoteTotal, type TermInput } from '../orders/parse.ts';
import type {
  Closed,
  Closing as ClosingCommand,
  MarketLookup,
  PlaceInput,
  Result,
  TradingService,
} from '../orders/service.ts';
import type { OpenPosition } from './describe.ts';
import { placeOf } from './position-id.ts';
import { type FuturesService, fail, type NamedPosition, type PerpetualMarket } from './service.ts';

/** How much worse than the mark the documented closing call may trade, in parts per million; the rest of it rests there. */
const WORSE_PPM = 10_000;

export interface ClosingDeps {
  readonly futures: FuturesService;
  readonly trading: Pick<TradingService, 'close' | 'closedBefore' | 'placedBefore' | 'placeProven' | 'checkPassword'>;
  readonly exchange: Pick<ExchangeView, 'marketState'>;
  readonly markets: Pick<MarketLookup, 'byId'>;
}

export interface ClosingInput {
  readonly type: 'market' | 'limit';
  readonly price?: string | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  readonly quantity?: string | undefined;
  readonly sharePercent?: number | undefined;
  readonly password?: string | undefined;
}

export interface OpeningInput {
  readonly name: string;
  readonly isLong: boolean;
  readonly margin: string;
  readonly leverage: number | undefined;
  readonly price: string | undefined;
  readonly term: TermInput | undefined;
  readonly password: string | undefined;
}

interface Found {
  readonly market: PerpetualMarket;
  readonly open: OpenPosition;
}

/** What each command that closes a position says. */
const closingOf = (owner: number, market: PerpetualMarket, open: OpenPosition) => ({
  ...{ kind: 'close-position' as const, owner, market: market.id, side: closingSide(open.position) },
  ...{ selfTrade: 'CANCEL_NEWEST' as const, sharePercent: 100, reverses: false },
  ...(open.leg !== NET && { positionSide: positionSideOf(open.leg) }),
});

const AT_MARKET = { type: 'market', timeInForce: 'IOC', price: 0 } as const;

/** The order that closes, as it was asked for. */
function readTerms(market: PerpetualMarket, { type, price, timeInForce, quantity, sharePercent = 100 }: ClosingInput) {
  const limit = type === 'limit' ? readLimitPrice(market, price) : undefined;
  if (limit?.ok === false) return limit;
  const lots = quantity === undefined ? undefined : readQuantity(market, quantity);
  if (lots?.ok === false) return lots;
  if (lots?.value === 0) return fail({ kind: 'rejected', reason: 'INVALID_QUANTITY' });
  const atMarket = { ...AT_MARKET, ...(timeInForce === 'FOK' && { timeInForce }) };
  const terms = limit ? { type, timeInForce: timeInForce ?? ('GTC' as const), price: limit.value } : atMarket;
  return { ok: true as const, value: { ...terms, quantity: lots?.value, sharePercent } };
}

export class Closing {
  readonly #deps: ClosingDeps;

  constructor(deps: ClosingDeps) {
    this.#deps = deps;
  }

  async close(
    identity: Identity,
    named: NamedPosition,
    input: ClosingInput,
    intent?: IntentKey,
  ): Promise<Result<Closed>> {
    const find = () => this.#find(identity, named);
    return this.#once(identity, find, input.password, intent, ({ market, open }) => {
      const terms = readTerms(market, input);
      return terms.ok ? { ok: true, value: { ...closingOf(identity.clientId, market, open), ...terms.value } } : terms;
    });
  }

  /** The term that keeps a position from being closed, as it is told to whoever tried; undefined for none. */
  termIn(identity: Identity, { id, ...named }: { readonly id?: string | undefined } & Partial<NamedPosition>) {
    const { name = '' } = named;
    const found = id === undefined ? this.#find(identity, { ...named, name }) : this.#findById(identity, id);
    return found.ok ? this.#deps.futures.termOf(found.value.open) : undefined;
  }

  /** All of a position, at once as far as the book has acceptable prices; what is left rests at the worst of them. */
  async closeAll(
    identity: Identity,
    id: string,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Closed>> {
    const find = () => this.#findById(identity, id);
    return this.#once(identity, find, password, intent, ({ market, open }) => {
      const terms = { type: 'limit', timeInForce: 'GTC', price: this.#worstPrice(market, open) } as const;
      return { ok: true, value: { ...closingOf(identity.clientId, market, open), ...terms } };
    });
  }

  /** Closes the position and opens the opposite one in one step; in hedge mode that would be two orders, of which one might fail. */
  async reverse(
    identity: Identity,
    name: string,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Closed>> {
    const market = this.#deps.futures.market(name);
    if (market.ok && this.#deps.futures.isHedged(identity.clientId, market.value.id))
      return fail({ kind: 'hedge-mode' });
    const find = () => this.#find(identity, { name });
    const result = await this.#once(identity, find, password, intent, ({ market, open }) => {
      const command = { ...closingOf(identity.clientId, market, open), ...AT_MARKET, reverses: true };
      return { ok: true, value: command };
    });
    const isTooLarge = !result.ok && result.error.kind === 'rejected' && result.error.reason === 'ABOVE_MAXIMUM_SIZE';
    return isTooLarge ? fail({ kind: 'too-large-to-reverse' }) : result;
  }

  /** By what is to be put in: margin × leverage is the value of the order. */
  async open(identity: Identity, input: OpeningInput, intent?: IntentKey): Promise<Result<Order>> {
    const earlier = await this.#before(identity, intent);
    if (earlier !== undefined) return earlier;
    const market = this.#deps.futures.market(input.name);
    if (!market.ok) return market;
    const { trading } = this.#deps;
    // Before the leverage is changed.
    const refused = await trading.checkPassword(identity, input.password);
    if (refused) return fail(refused);
    const order = await this.#opening(identity, market.value, input);
    return order.ok ? trading.placeProven(identity, order.value, intent) : order;
  }

  async #opening(identity: Identity, market: PerpetualMarket, input: OpeningInput): Promise<Result<PlaceInput>> {
    const { futures, exchange } = this.#deps;
    const margin = readQuoteTotal(market, input.margin);
    if (!margin.ok) return margin;
    const price = input.price === undefined ? undefined : readPrice(market, input.price, 'opening_price');
    if (price?.ok === false) return price;
    const ticks = price?.value ?? exchange.marketState(market.id).markPrice;
    if (ticks === 0) return fail({ kind: 'rejected', reason: 'NO_PRICE' });
    const named = futures.isHedged(identity.clientId, market.id) ? (input.isLong ? 'long' : 'short') : undefined;
    const known = await futures.settings(identity.clientId, market, named);
    const leverage = input.leverage ?? known.leverage;
    if (leverage !== known.leverage) {
      const position = { name: market.symbol, positionSide: named } as const;
      const changed = await futures.changeLeverage(identity, position, { leverage });
      if (!changed.ok) return changed;
    }
    const lots = divFloor(margin.value * BigInt(leverage), BigInt(ticks) * quoteUnitsPerTickLot(market));
    const quantity = formatAmount(lots, market.lotScale);
    // An amount that no order may have is refused here, as orders refuse it.
    const readable = readQuantity(market, quantity, 'margin');
    if (!readable.ok) return readable;
    const { term } = input;
    const limit = { type: 'limit' as const, price: input.price, timeInForce: term && ('IOC' as const) };
    const terms = price === undefined ? { type: 'market' as const } : limit;
    const side = input.isLong ? ('BUY' as const) : ('SELL' as const);
    return { ok: true, value: { symbol: market.symbol, side, ...terms, quantity, positionSide: named, term } };
  }

  /** The worst price at which the documented call closes: near the mark, within the band, and without a debt. */
  #worstPrice(market: PerpetualMarket, { position, mark, bankruptcyPrice }: OpenPosition): number {
    const ppm = market.priceBandPpm === 0 ? WORSE_PPM : Math.min(WORSE_PPM, market.priceBandPpm);
    const isLong = position.direction > 0;
    const near = isLong ? lowestInBand(mark, ppm) : highestInBand(mark, ppm);
    if (bankruptcyPrice === undefined) return near;
    return isLong ? Math.max(near, bankruptcyPrice) : Math.min(near, bankruptcyPrice);
  }

  /** What the intent has led to already; else a command for the position as it is now. How large that is, the engine counts. */
  async #once(
    identity: Identity,
    find: () => Result<Found>,
    password: string | undefined,
    intent: IntentKey | undefined,
    commandOf: (found: Found) => Result<ClosingCommand>,
  ): Promise<Result<Closed>> {
    const { trading } = this.#deps;
    const earlier = intent && (await trading.closedBefore(identity, intent));
    if (earlier !== undefined) return earlier;
    const found = find();
    if (!found.ok) return found;
    const command = commandOf(found.value);
    if (!command.ok) return command;
    const refused = await trading.checkPassword(identity, password);
    return refused ? fail(refused) : trading.close(identity.clientId, command.value, intent);
  }

  #before(identity: Identity, intent: IntentKey | undefined): Promise<Result<Order> | undefined> | undefined {
    return intent && this.#deps.trading.placedBefore(identity, intent);
  }

  #find({ clientId }: Identity, { name, positionSide }: NamedPosition): Result<Found> {
    const { futures } = this.#deps;
    const market = futures.market(name);
    if (!market.ok) return market;
    if (futures.isHedged(clientId, market.value.id) !== (positionSide !== undefined))
      return fail({ kind: 'rejected', reason: 'POSITION_SIDE_MISMATCH' });
    return this.#openIn(clientId, market.value, namedLeg(positionSide));
  }

  #findById({ clientId }: Identity, id: string): Result<Found> {
    const { futures, markets } = this.#deps;
    const place = placeOf(id);
    const open = place && futures.openIn(clientId, place.market, place.leg);
    if (open === undefined) return fail({ kind: 'rejected', reason: 'NOTHING_TO_CLOSE' });
    const market = futures.market(markets.byId(open.market).symbol);
    return market.ok ? { ok: true, value: { market: market.value, open } } : market;
  }

  #openIn(owner: number, market: PerpetualMarket, leg: PositionLeg): Result<Found> {
    const open = this.#deps.futures.openIn(owner, market.id, leg);
    return open === undefined
      ? fail({ kind: 'rejected', reason: 'NOTHING_TO_CLOSE' })
      : { ok: true, value: { market, open } };
  }
}
