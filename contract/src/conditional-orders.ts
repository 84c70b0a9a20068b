/** What triggers a conditional order, and what it does then: the fields that its calls, lists and pushes share. */
import { z } from 'zod';
import {
  clientOrderId,
  decimal,
  decimalOut,
  delegateType,
  pairName,
  positionSide,
  selfTradeMode,
  timeInForce,
} from './fields.ts';

export const conditionalKind = z.enum([
  'stop_limit',
  'stop_market',
  'take_profit_limit',
  'take_profit_market',
  'oco',
  'trailing_stop',
]);
export type ConditionalKind = z.infer<typeof conditionalKind>;

/**
 * The last trade's price; the mark price, which no single trade can move; or, of perpetual futures alone, the index: what other
 * markets pay.
 */
export const triggerSource = z.enum(['last', 'mark', 'index']);
export type TriggerSource = z.infer<typeof triggerSource>;

/** The leg that triggered, or `` before. */
const triggeredLeg = z.enum(['', 'stop', 'take_profit', 'trailing']);

/** What triggers or triggered an order. Prices that it does not have are empty. */
export const orderTrigger = z.object({
  kind: conditionalKind,
  trigger_by: triggerSource,
  /** `untriggered`; `triggered` once it was placed, whatever became of it then; `ended` when it never was. */
  status: z.enum(['untriggered', 'triggered', 'ended']),
  stop_price: decimalOut,
  /** Limit price of the order that the stop places; empty for a market order. */
  stop_limit_price: decimalOut,
  take_profit_price: decimalOut,
  take_profit_limit_price: decimalOut,
  /** Percent. */
  callback_rate: decimalOut,
  /** In quote coin. */
  callback_distance: decimalOut,
  activation_price: decimalOut,
  /** The best price since a trailing stop began to follow; empty before its activation. */
  best_price: decimalOut,
  /** Where a trailing stop would trigger now; empty before its activation. */
  trailing_price: decimalOut,
  triggered_leg: triggeredLeg,
  /** The price that triggered it, and when; empty and null before. */
  triggered_price: decimalOut,
  triggered_at: z.number().int().nullable(),
  /** Of an exit order, the entry whose fills it exits. */
  entry_id: z.string().optional(),
});
export type OrderTrigger = z.infer<typeof orderTrigger>;

/**
 * Take-profit and stop-loss of an entry order, one or both. What is filled of the entry is covered at once by an exit
 * order on the other side, which grows with the fills until it triggers; it uses what the fills brought after fees, in
 * whole lots. Both legs together are one order, an OCO. They end with an entry that ends without a fill, and are given
 * up when the exit order is cancelled while its entry is open.
 */
export const attachedExits = z
  .strictObject({
    trigger_by: triggerSource.default('last'),
    take_profit_price: decimal.optional(),
    /** Without it, a market order. */
    take_profit_limit_price: decimal.optional(),
    stop_price: decimal.optional(),
    stop_limit_price: decimal.optional(),
  })
  .refine((exits) => exits.take_profit_price !== undefined || exits.stop_price !== undefined, {
    path: ['take_profit_price'],
    message: 'Give a take-profit price, a stop-loss price, or both',
  })
  .refine((exits) => exits.take_profit_limit_price === undefined || exits.take_profit_price !== undefined, {
    path: ['take_profit_price'],
    message: 'Field is required',
  })
  .refine((exits) => exits.stop_limit_price === undefined || exits.stop_price !== undefined, {
    path: ['stop_price'],
    message: 'Field is required',
  });
export type AttachedExits = z.input<typeof attachedExits>;

/** The exits of an entry in lists and pushes; prices that they do not have are empty. */
export const orderExits = z.object({
  trigger_by: triggerSource,
  take_profit_price: decimalOut,
  take_profit_limit_price: decimalOut,
  stop_price: decimalOut,
  stop_limit_price: decimalOut,
  /** The untriggered order that exits what was filled; empty while there is none. */
  order_id: z.string(),
});
export type OrderExits = z.infer<typeof orderExits>;

/** Fields that belong to each kind: those it must have, and those it may have. Others are refused. */
export const kindFields: Readonly<
  Record<ConditionalKind, { required: readonly string[]; optional: readonly string[] }>
> = {
  stop_limit: { required: ['stop_price', 'stop_limit_price', 'quantity'], optional: ['time_in_force'] },
  stop_market: { required: ['stop_price'], optional: ['quantity', 'quote_total'] },
  take_profit_limit: {
    required: ['take_profit_price', 'take_profit_limit_price', 'quantity'],
    optional: ['time_in_force'],
  },
  take_profit_market: { required: ['take_profit_price'], optional: ['quantity', 'quote_total'] },
  oco: {
    required: ['take_profit_price', 'stop_price', 'quantity'],
    optional: ['take_profit_limit_price', 'stop_limit_price', 'quote_total', 'time_in_force'],
  },
  trailing_stop: {
    required: [],
    optional: ['callback_rate', 'callback_distance', 'activation_price', 'quantity', 'quote_total'],
  },
};

const kindOwnFields = [...new Set(Object.values(kindFields).flatMap((own) => [...own.required, ...own.optional]))];

/** Percent with at most two decimals; from 0.01 to 50. */
const callbackRate = z
  .string()
  .trim()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, 'Enter a percentage with at most two decimals')
  .refine((text) => Number(text) >= 0.01 && Number(text) <= 50, 'Use 0.01 to 50 percent');

interface Fields {
  readonly kind: ConditionalKind;
  readonly side: 'BUY' | 'SELL';
  readonly symbol: string;
  readonly reduce_only?: boolean | undefined;
  readonly position_side?: 'long' | 'short' | undefined;
  readonly [field: string]: string | boolean | undefined;
}

interface Issue {
  readonly field: string;
  readonly message: string;
}

const isPerpetual = ({ symbol }: Fields): boolean => /-SWAP$/i.test(symbol);

/** Whether an order opens nothing: it says so, or in hedge mode it is of the side that closes its position. */
export const onlyReduces = (order: Pick<Fields, 'side' | 'reduce_only' | 'position_side'>): boolean =>
  order.reduce_only === true || order.position_side === (order.side === 'SELL' ? 'long' : 'short');

/** What a kind lacks or should not have; `sizeIssues` says it of a perpetual's quantity. */
function kindIssues(order: Fields): Issue[] {
  const { required, optional } = kindFields[order.kind];
  const missing = required
    .filter((field) => order[field] === undefined && !(field === 'quantity' && isPerpetual(order)))
    .map((field) => ({ field, message: field === 'quantity' ? 'Amount is required' : 'Field is required' }));
  const strange = kindOwnFields
    .filter((field) => order[field] !== undefined && !required.includes(field) && !optional.includes(field))
    .map((field) => ({ field, message: "This order type doesn't have this field" }));
  return [...missing, ...strange];
}

/**
 * A market sell is sized by quantity and a market buy by what it may spend, which is what is held for it. Every order of a
 * perpetual is sized by quantity; one that only reduces closes all that is open where it has none.
 */
function sizeIssues(order: Fields): Issue[] {
  if (isPerpetual(order)) {
    if (order.quote_total !== undefined) {
      return [{ field: 'quote_total', message: 'Orders of perpetual futures are sized by quantity' }];
    }
    const isSized = order.quantity !== undefined || onlyReduces(order);
    return isSized ? [] : [{ field: 'quantity', message: 'Amount is required' }];
  }
  const isMarket = !order.kind.endsWith('_limit') && (order.kind !== 'oco' || order.stop_limit_price === undefined);
  const buysAtMarket = order.side === 'BUY' && isMarket;
  if (buysAtMarket && order.quote_total === undefined) {
    return [{ field: 'quote_total', message: 'A market buy needs the total that it may spend' }];
  }
  if (!buysAtMarket && order.quote_total !== undefined) {
    return [{ field: 'quote_total', message: 'Only a market buy is sized by its total' }];
  }
  if (buysAtMarket && order.kind !== 'oco' && order.quantity !== undefined) {
    return [{ field: 'quantity', message: 'A market buy is sized by its total' }];
  }
  const needsQuantity = !buysAtMarket && order.quantity === undefined;
  return needsQuantity ? [{ field: 'quantity', message: 'Amount is required' }] : [];
}

function callbackIssues(order: Fields): Issue[] {
  if (order.kind !== 'trailing_stop') return [];
  const given = [order.callback_rate, order.callback_distance].filter((field) => field !== undefined);
  if (given.length === 1) return [];
  return [{ field: 'callback_rate', message: 'Set the trailing distance as a rate or as an amount, not both' }];
}

/**
 * A conditional order. Triggers: a sell's stop stands below the price and its take-profit above it; a buy's the other
 * way round. `oco` has both: a take-profit with a limit price (its trigger price when none is given; one that only reduces is
 * at market then) and a stop, at a limit price or at market; the one that triggers ends the other. `trailing_stop` follows the best price from
 * `activation_price` on (at once without it) and sells or buys at market when the price comes back by the callback.
 */
export const conditionalOrder = z
  .strictObject({
    symbol: pairName,
    side: delegateType,
    kind: conditionalKind,
    trigger_by: triggerSource.default('last'),
    /** Base coin, above zero. Of a perpetual's order that only reduces it may be left out: it closes all that is open then. */
    quantity: decimal.optional(),
    /** Of a perpetual: it only makes a position smaller, and holds nothing until it triggers. */
    reduce_only: z.boolean().optional(),
    /** Of a perpetual in hedge mode, and always there. A sell of `long` or a buy of `short` only reduces. */
    position_side: positionSide.optional(),
    /** Quote coin; of a market buy. */
    quote_total: decimal.optional(),
    /** Of the limit order that is placed. */
    time_in_force: timeInForce.optional(),
    /** `CANCEL_OLDEST` where it is left out: an order that rests gives way to one that is triggered. */
    self_trade: selfTradeMode.optional(),
    stop_price: decimal.optional(),
    stop_limit_price: decimal.optional(),
    take_profit_price: decimal.optional(),
    take_profit_limit_price: decimal.optional(),
    callback_rate: callbackRate.optional(),
    callback_distance: decimal.optional(),
    activation_price: decimal.optional(),
    client_order_id: clientOrderId.optional(),
    transaction_password: z.string().max(256).optional(),
  })
  .superRefine((order, context) => {
    const issues = [...kindIssues(order as Fields), ...sizeIssues(order as Fields), ...callbackIssues(order as Fields)];
    for (const { field, message } of issues) context.addIssue({ code: 'custom', path: [field], message });
  });

const amendable = ['stop_price', 'stop_limit_price', 'take_profit_price', 'take_profit_limit_price'] as const;

/** New prices of an untriggered order; those left out stay. A market leg has no limit price to change. */
export const conditionalAmendment = z
  .strictObject({
    stop_price: decimal.optional(),
    stop_limit_price: decimal.optional(),
    take_profit_price: decimal.optional(),
    take_profit_limit_price: decimal.optional(),
    transaction_password: z.string().max(256).optional(),
  })
  .refine((body) => amendable.some((field) => body[field] !== undefined), {
    path: ['stop_price'],
    message: 'Enter a new trigger or limit price',
  });
