/** Fields that many calls share, each with its limit. */
import { z } from 'zod';
import { EMAIL, EMAIL_LENGTH, KNOWN_EMAIL } from './email.ts';

/** A decimal amount as people write it: no sign, exponent, NaN or Infinity; scale and range are the market's. */
export const decimal = z
  .string()
  .trim()
  .max(40, 'Use at most {{maximum}} characters')
  .regex(/^\d+(\.\d+)?$/, 'Enter a plain decimal number such as 0.25');

type NumberCheck = z.core.CheckFn<string>;

/** Refuses a decimal beyond `maximum`, or below minus that. */
const within =
  (maximum: number): NumberCheck =>
  ({ value, issues }) => {
    if (Math.abs(Number(value)) <= maximum || Number.isNaN(Number(value))) return;
    const shared = { origin: 'number', inclusive: true, input: value } as const;
    issues.push({ ...shared, code: 'too_big', maximum, message: 'Use at most {{maximum}}' });
  };

/** A figure that an operator sets, with its bound, which the document shows. */
export const decimalUpTo = (maximum: number) => decimal.check(within(maximum)).meta({ 'x-maximum': maximum });

/** The same with a sign. */
export const signedUpTo = (maximum: number) =>
  z
    .string()
    .trim()
    .max(40, 'Use at most {{maximum}} characters')
    .regex(/^-?\d+(\.\d+)?$/, 'Enter a plain decimal number such as 0.25')
    .check(within(maximum))
    .meta({ 'x-maximum': maximum });

/** Of a coin, such as a minimum: beyond it lies a slip, not a wish. */
export const MOST_UNITS = 1_000_000_000;
/** Percent of a trade. */
export const MOST_FEE_PERCENT = 1;

/** A decimal in an answer; may carry a sign. */
export const decimalOut = z.string();

export const delegateType = z.enum(['BUY', 'SELL']);
export const timeInForce = z.enum(['GTC', 'IOC', 'FOK', 'POST_ONLY']);
/** In hedge mode: which of the two positions of a perpetual market is meant. Without it, one-way mode's only one. */
export const positionSide = z.enum(['long', 'short']);
/** Who gives way when an order would meet another of its own owner. */
export const selfTradeMode = z.enum(['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT']);

/** `BTC`, `BTCUSDT` or `BTC-USDT`; of a perpetual `BTC-USDT-SWAP`. */
export const pairName = z
  .string()
  .trim()
  .min(1, 'Name a pair, such as BTC-USDT')
  .max(24, 'A pair name has at most 24 characters')
  .regex(/^[A-Za-z0-9]+([-/][A-Za-z0-9]+)?(-SWAP)?$/i, 'Name a pair as BTC, BTCUSDT or BTC-USDT');

const emailText = z
  .string()
  .trim()
  .min(1, 'E-mail is required')
  .max(EMAIL_LENGTH, 'An email address has at most 254 characters');

/** An address that gets mail or becomes an account's. */
export const email = emailText.regex(EMAIL, 'E-mail must be valid');

/** An address by which an account is only looked for; one that was made earlier may have another shape. */
export const knownEmail = emailText.regex(KNOWN_EMAIL, 'E-mail must be valid');

/** Milliseconds since 1970. */
export const timeMs = z.number().int();

/** The last moment that a date can be, ms since 1970: what shows a later one fails. */
export const LAST_TIME_MS = 8_640_000_000_000_000;

/** What a client calls an order of its own. */
export const clientOrderId = z
  .string()
  .regex(/^[\w-]{1,36}$/, 'A client order id has 1 to 36 letters, digits, hyphens and underscores');

/** An order by its id or, after `client:`, by its client order id, which it has while it is open or untriggered. */
export const orderName = z.string().regex(/^(\d{1,16}|client:[\w-]{1,36})$/, 'An order id is a whole number');

/** Number of a row that a client owns. One that is no safe integer is none of ours, and could not be read back. */
export const rowId = z
  .string()
  .regex(/^\d{1,16}$/, 'An id is a whole number')
  .refine((text) => Number.isSafeInteger(Number(text)), 'An id is a whole number');

/** Pages of our own lists: newest first, `before` is the id that the last page ended with. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  before: z
    .string()
    .regex(/^\d{1,16}$/, 'An id is a whole number')
    .optional()
    .describe('The id that the last page ended with'),
});

/**
 * A phone number as people write it: with or without spaces and dial code. That it has 10 national digits is checked
 * by the server, which knows the dial codes; without one it is a number of the United States.
 */
export const phone = z
  .string()
  .trim()
  .min(1, 'Field is required')
  .max(24, 'Please enter a valid phone number')
  .regex(/^\+?[\d\s().-]+$/, 'Please enter a valid phone number')
  .transform((text) => text.replace(/[\s().-]/g, ''));

/** The same, or empty. */
export const optionalPhone = z
  .string()
  .trim()
  .max(24, 'Please enter a valid phone number')
  .regex(/^$|^\+?[\d\s().-]+$/, 'Please enter a valid phone number')
  .transform((text) => text.replace(/[\s().-]/g, ''));

/** The code of a mail or an SMS. */
export const verificationCode = z.string().trim().min(1, 'This field is required').max(12, 'A code has six digits');

/** Six digits of an authenticator app, or a recovery code. */
export const secondFactor = z.string().trim().max(40, 'Use at most {{maximum}} characters').optional();

/** A password in use, however short it once was allowed to be. */
export const currentPassword = z.string().min(1, 'Field is required').max(256, 'Use at most {{maximum}} characters');

/** A new password on reset and change. */
export const newPassword = z
  .string()
  .min(6, 'Password must be at least 6 characters')
  .max(256, 'Use at most {{maximum}} characters');

/** What an operator or a person writes about an act. */
export const reason = z.string().trim().min(3, 'Enter a reason').max(500, 'Use at most {{maximum}} characters');
