/** Fields that many calls share, each with its limit. */
import { z } from 'zod';

/** A decimal amount as people write it: no sign, exponent, NaN or Infinity; scale and range are the market's. */
export const decimal = z
  .string()
  .trim()
  .max(40, 'Use at most {{maximum}} characters')
  .regex(/^\d+(\.\d+)?$/, 'Write a plain decimal number such as 0.25');

/** A decimal in an answer; may carry a sign. */
export const decimalOut = z.string();

export const delegateType = z.enum(['BUY', 'SELL']);
export const timeInForce = z.enum(['GTC', 'IOC', 'FOK', 'POST_ONLY']);
/** Who gives way when an order would meet another of its own owner. */
export const selfTradeMode = z.enum(['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT']);

/** `BTC`, `BTCUSDT` or `BTC-USDT`. */
export const pairName = z
  .string()
  .trim()
  .min(1, 'Name a pair, such as BTC-USDT')
  .max(24, 'A pair name has at most 24 characters')
  .regex(/^[A-Za-z0-9]+([-/][A-Za-z0-9]+)?$/, 'Name a pair as BTC, BTCUSDT or BTC-USDT');

export const email = z
  .string()
  .trim()
  .min(1, 'E-mail is required')
  .max(254, 'An e-mail address has at most 254 characters')
  .regex(/^[^\s@]+@[^\s@]+$/, 'E-mail must be valid');

/** Milliseconds since 1970. */
export const timeMs = z.number().int();

export const orderId = z.string().regex(/^\d{1,16}$/, 'An order id is a whole number');

/** Number of a row that a client owns. */
export const rowId = z.string().regex(/^\d{1,16}$/, 'An id is a whole number');

/** Pages of our own lists: newest first, `before` is the id that the last page ended with. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  before: z
    .string()
    .regex(/^\d{1,16}$/)
    .optional(),
});
