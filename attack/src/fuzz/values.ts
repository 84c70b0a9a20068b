/** Values for a schema: mostly what it asks for, at its edges and beyond them, and what no schema asks for. */
import fc from 'fast-check';
import { PASSWORD, TRANSACTION_PASSWORD } from '../people.ts';
import type { Schema } from './document.ts';

const nasty = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1e309',
  'NaN',
  'null',
  'true',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥',
  'Ａ',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"; DROP TABLE clients; --',
  '{{7*7}}',
  '$t(key)',
  '<script>alert(1)</script>',
  'a\r\nBcc: b@example.test',
  'a@example.test,b@example.test',
  '"x" <a@example.test>',
  '%00',
  '%',
  '\\',
  '2026-01-01',
  'a'.repeat(300),
  'a'.repeat(70_000),
  '９'.repeat(12),
  '0x'.padEnd(42, 'f'),
  '9007199254740993',
  '99999999999999999999',
  'constructor',
  '__proto__',
  'limit',
];

/** Where columns and doubles end. */
const edges = [0, -1, 1, 2 ** 15, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 1e300, 0.5];

export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...nasty) },
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom<unknown>(...edges),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', '__proto__', 'price', 'id', 'en'), scalar, { maxKeys: 3 }),
);

/** What gets further in, by the name of its field. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  symbol: ['BTC-USDT', 'BTC', 'ETHUSDT'],
  name: ['BTC', 'BTC-USDT', 'USDT'],
  instId: ['BTC-USDT', 'ETH-USDT'],
  coin: ['BTC', 'USDT'],
  price: ['50000', '49000.1', '0.1'],
  order_per_unit: ['50000'],
  stop_price: ['51000'],
  quantity: ['0.01', '1'],
  amount: ['1', '0.00000001'],
  number_of_order: ['0.01'],
  total: ['100'],
  password: [PASSWORD],
  oldLoginPassword: [PASSWORD],
  transaction_password: [TRANSACTION_PASSWORD, 'wrong-one'],
  code: ['000000'],
  network: ['TRC20', 'ERC20'],
  address: ['T'.padEnd(34, 'x')],
  // The last two are no safe integers, and of as many digits as an id may have.
  id: ['1', '100', '101', '102', '9007199254740993', '9999999999999999'],
  quote_total: ['100', '92233720368.54775807'],
  provider: ['google', 'apple'],
  section: ['news', 'faq', 'links', 'about'],
  resolution: ['1', '5', '1D'],
  bar: ['1m', '1H', '1Dutc'],
};

function numberFor({ minimum, maximum }: Schema, isWhole: boolean): fc.Arbitrary<unknown> {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  const near = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]);
  const inside = fc.integer({
    min: Math.ceil(Math.max(minimum ?? 0, -(2 ** 40))),
    max: Math.min(maximum ?? 1000, 2 ** 40),
  });
  return fc.oneof(
    { weight: 3, arbitrary: inside },
    fc.constantFrom<unknown>(...near, ...edges),
    isWhole ? inside : fc.double(),
  );
}

function textFor({ pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<unknown> {
  const longest = Math.min(maxLength ?? 60, 400);
  const plain = fc.string({ minLength: Math.min(minLength, longest), maxLength: longest });
  const tooLong = fc.constant('z'.repeat((maxLength ?? 2000) + 1));
  if (pattern === undefined) return fc.oneof({ weight: 4, arbitrary: plain }, tooLong);
  // Not every pattern can be generated from; the plain text then stands alone.
  try {
    return fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern, 'u'), { size: '-1' }) },
      plain,
      tooLong,
    );
  } catch {
    return fc.oneof(plain, tooLong);
  }
}

function fitting(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => fitting(choice, name)));
  if (schema.allOf !== undefined) return fitting(schema.allOf[0] ?? {}, name);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectFor(schema);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, name), { maxLength: 5 });
    case 'integer':
    case 'number':
      return numberFor(schema, schema.type === 'integer');
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textFor(schema);
    default:
      return anything;
  }
}

/** A value for one field; one in six is for no schema. */
export function valueFor(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const hints = known[name];
  const good = fitting(schema, name);
  return fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: hints === undefined ? 0 : 4, arbitrary: fc.constantFrom(...(hints ?? [''])) },
    { weight: 1, arbitrary: anything },
  );
}

export function objectFor({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valueFor(schema, name)] as const);
  const requiredKeys = required.filter((name) => name in properties);
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys });
  const torn = fc.record(Object.fromEntries([...fields, ['unknown', anything]]), { requiredKeys: [] });
  return fc.oneof({ weight: 5, arbitrary: whole }, torn);
}

/** What is no JSON object, or too much of one. */
export const brokenBody: fc.Arbitrary<string> = fc.constantFrom(
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '',
  '\u0000',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":'.repeat(200),
  '[['.repeat(500),
  `{"a":"${'x'.repeat(100_000)}"}`,
);
