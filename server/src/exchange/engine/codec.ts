/**
 * Commands as the journal keeps them: a JSON array for each, the kind's number first, money as text. The numbers are
 * part of the file format: new kinds get new ones, none is ever used again.
 */
import type {
  AmendConditionalOrder,
  Leg,
  LegChange,
  PlaceConditionalOrder,
} from '@cambist/core/orders/conditional/conditional-order.ts';
import type { AmendOrder } from '@cambist/core/orders/commands.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import type { OrderType, SelfTradeMode, Side, TimeInForce } from '@cambist/core/terms/order-terms.ts';

export const TIME_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'POST_ONLY'];
export const ORDER_TYPES: readonly OrderType[] = ['limit', 'market'];
export const SELF_TRADE_MODES: readonly SelfTradeMode[] = [
  'CANCEL_NEWEST',
  'CANCEL_OLDEST',
  'CANCEL_BOTH',
  'DECREMENT',
];

export const TRIGGER_SOURCES = ['last', 'mark'] as const;

/** Who sent a command under which idempotency key, and what the command said; absent for the house. */
export interface CommandKey {
  readonly key: string;
  readonly fingerprint: string;
}

export interface JournalEntry {
  readonly command: Command;
  readonly key: CommandKey | undefined;
}

type Field = string | number | boolean;
type Tuple = Field[];

function toTuple(command: Command): Tuple {
  switch (command.kind) {
    case 'place-order':
      return [
        1,
        command.orderId,
        command.owner,
        command.market,
        command.side,
        ORDER_TYPES.indexOf(command.type),
        TIME_IN_FORCE.indexOf(command.timeInForce),
        command.price,
        command.quantity,
        command.quoteTotal.toString(),
        SELF_TRADE_MODES.indexOf(command.selfTrade),
      ];
    case 'cancel-order':
      return [2, command.orderId, command.owner];
    case 'amend-order':
      return amendOrderTuple(command);
    case 'halt-market':
      return [4, command.market, command.halted];
    case 'set-fees':
      return [5, command.owner, command.makerPpm, command.takerPpm];
    case 'set-reference-price':
      return [6, command.market, command.price];
    case 'credit-development-funds':
      return [7, command.owner, command.asset, command.amount.toString()];
    case 'provide-house-capital':
      return [8, command.owner, command.asset, command.amount.toString()];
    case 'grant-fee-credit':
      return [9, command.owner, command.asset, command.amount.toString()];
    case 'place-conditional-order':
      return placeConditionalTuple(command);
    case 'amend-conditional-order':
      return amendConditionalTuple(command);
    case 'set-mark-price':
      return [12, command.market, command.price];
    case 'cancel-all-orders':
      return [13, command.owner, command.market ?? NONE];
  }
}

/** What is not there; a number would be what somebody sent. */
const NONE = '';

/** 3 names both fields, 14 only those that change: a version that knows no 14 stops instead of reading it wrongly. */
function amendOrderTuple({ orderId, owner, price, quantity, timeInForce, selfTrade }: AmendOrder): Tuple {
  const kind = price === undefined || quantity === undefined ? 14 : 3;
  return [kind, orderId, owner, price ?? NONE, quantity ?? NONE, timeInForce ?? NONE, selfTrade ?? NONE];
}

/** 11 names whole legs, 15 only the prices that change. */
function amendConditionalTuple({ orderId, owner, takeProfit, stop }: AmendConditionalOrder): Tuple {
  const isWhole = [takeProfit, stop].every((leg) => (leg?.trigger === undefined) === (leg?.price === undefined));
  return [isWhole ? 11 : 15, orderId, owner, ...legFields(takeProfit), ...legFields(stop)];
}

function legFields(leg: LegChange | undefined): Tuple {
  return [leg?.trigger ?? NONE, leg?.price ?? NONE];
}

function legFrom(trigger: Field | undefined, price: Field | undefined): Leg | undefined {
  return trigger === NONE ? undefined : { trigger: trigger as number, price: price as number };
}

function legChangeFrom(trigger: Field | undefined, price: Field | undefined): LegChange | undefined {
  if (trigger === NONE && price === NONE) return undefined;
  return {
    ...(trigger === NONE ? {} : { trigger: trigger as number }),
    ...(price === NONE ? {} : { price: price as number }),
  };
}

function placeConditionalTuple(command: PlaceConditionalOrder): Tuple {
  const { trailing } = command;
  const following = trailing && [trailing.callbackPpm, trailing.callbackTicks, trailing.activation];
  return [
    10,
    command.orderId,
    command.owner,
    command.market,
    command.side,
    TRIGGER_SOURCES.indexOf(command.source),
    TIME_IN_FORCE.indexOf(command.timeInForce),
    command.quantity,
    command.quoteTotal.toString(),
    SELF_TRADE_MODES.indexOf(command.selfTrade),
    ...legFields(command.takeProfit),
    ...legFields(command.stop),
    ...(following ?? []),
  ];
}

function placeConditionalFrom(tuple: Tuple): PlaceConditionalOrder {
  const [, orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade, ...rest] = tuple;
  const [profitTrigger, profitPrice, stopTrigger, stopPrice, callbackPpm, callbackTicks, activation] = rest;
  return {
    kind: 'place-conditional-order',
    orderId: orderId as number,
    owner: owner as number,
    market: market as number,
    side: side as Side,
    source: TRIGGER_SOURCES[source as number]!,
    timeInForce: TIME_IN_FORCE[timeInForce as number]!,
    quantity: quantity as number,
    quoteTotal: BigInt(quoteTotal as string),
    selfTrade: SELF_TRADE_MODES[selfTrade as number]!,
    takeProfit: legFrom(profitTrigger, profitPrice),
    stop: legFrom(stopTrigger, stopPrice),
    trailing:
      callbackPpm === undefined
        ? undefined
        : {
            callbackPpm: callbackPpm as number,
            callbackTicks: callbackTicks as number,
            activation: activation as number,
          },
  };
}

function amendConditionalFrom(tuple: Tuple): AmendConditionalOrder {
  const [, orderId, owner, profitTrigger, profitPrice, stopTrigger, stopPrice] = tuple;
  return {
    kind: 'amend-conditional-order',
    orderId: orderId as number,
    owner: owner as number,
    takeProfit: legChangeFrom(profitTrigger, profitPrice),
    stop: legChangeFrom(stopTrigger, stopPrice),
  };
}

function placeOrderFrom(tuple: Tuple): Command {
  const [, orderId, owner, market, side, type, timeInForce, price, quantity, quoteTotal, selfTrade] = tuple;
  return {
    kind: 'place-order',
    orderId: orderId as number,
    owner: owner as number,
    market: market as number,
    side: side as Side,
    type: ORDER_TYPES[type as number] as OrderType,
    timeInForce: TIME_IN_FORCE[timeInForce as number] as TimeInForce,
    price: price as number,
    quantity: quantity as number,
    quoteTotal: BigInt(quoteTotal as string),
    selfTrade: SELF_TRADE_MODES[selfTrade as number] as SelfTradeMode,
  };
}

function amendOrderFrom(tuple: Tuple): Command {
  const [, orderId, owner, price, quantity, timeInForce = NONE, selfTrade = NONE] = tuple;
  return {
    kind: 'amend-order',
    orderId: orderId as number,
    owner: owner as number,
    ...(price === NONE ? {} : { price: price as number }),
    ...(quantity === NONE ? {} : { quantity: quantity as number }),
    ...(timeInForce === NONE ? {} : { timeInForce: timeInForce as 'GTC' | 'POST_ONLY' }),
    ...(selfTrade === NONE ? {} : { selfTrade: selfTrade as SelfTradeMode }),
  };
}

function fundsFrom(
  kind: 'credit-development-funds' | 'provide-house-capital' | 'grant-fee-credit',
  tuple: Tuple,
): Command {
  const [, owner, asset, amount] = tuple;
  return { kind, owner: owner as number, asset: asset as number, amount: BigInt(amount as string) };
}

function fromTuple(tuple: Tuple): Command {
  const [kind, first, second, third] = tuple;
  switch (kind) {
    case 1:
      return placeOrderFrom(tuple);
    case 2:
      return { kind: 'cancel-order', orderId: first as number, owner: second as number };
    case 3:
    case 14:
      return amendOrderFrom(tuple);
    case 4:
      return { kind: 'halt-market', market: first as number, halted: second as boolean };
    case 5:
      return { kind: 'set-fees', owner: first as number, makerPpm: second as number, takerPpm: third as number };
    case 6:
      return { kind: 'set-reference-price', market: first as number, price: second as number };
    case 7:
      return fundsFrom('credit-development-funds', tuple);
    case 8:
      return fundsFrom('provide-house-capital', tuple);
    case 9:
      return fundsFrom('grant-fee-credit', tuple);
    case 10:
      return placeConditionalFrom(tuple);
    case 11:
    case 15:
      return amendConditionalFrom(tuple);
    case 12:
      return { kind: 'set-mark-price', market: first as number, price: second as number };
    case 13:
      return {
        kind: 'cancel-all-orders',
        owner: first as number,
        market: second === NONE ? undefined : (second as number),
      };
    default:
      throw new Error(`The journal holds a command of kind ${String(kind)}, which this version does not know`);
  }
}

export function encodeEntries(entries: readonly JournalEntry[]): string {
  const rows = entries.map(({ command, key }) =>
    key === undefined ? [toTuple(command)] : [toTuple(command), key.key, key.fingerprint],
  );
  return JSON.stringify(rows);
}

export function decodeEntries(text: string): JournalEntry[] {
  const rows = JSON.parse(text) as [Tuple, string?, string?][];
  return rows.map(([tuple, key, fingerprint = '']) => ({
    command: fromTuple(tuple),
    key: key === undefined ? undefined : { key, fingerprint },
  }));
}
