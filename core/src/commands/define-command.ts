/**
 * A command is declared once. Its fields with their ranges give validation, the journal's codec, and the shapes from which
 * tests make arbitrary commands; its properties say when it is taken, and from whom. The number is part of the journal's
 * format: new kinds get new ones, none is ever used again. New fields go last and are optional, so that old rows still decode.
 */

/** What the journal is written in. */
export type Json = string | number | boolean | readonly Json[];

/** What a field may hold; `money/amount.ts` and the market say what it means. */
export type Shape =
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'amount'; readonly minimum: bigint; readonly maximum: bigint }
  | { readonly type: 'text'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly type: 'optional'; readonly of: Shape }
  | { readonly type: 'record'; readonly fields: readonly (readonly [string, Shape])[] }
  | { readonly type: 'list'; readonly of: Shape; readonly maximum: number };

export interface Field<Value> {
  readonly shape: Shape;
  encode(value: Value): Json;
  /** @throws DecodeError for what `encode` never wrote */
  decode(json: Json | undefined): Value;
}

/** A journal holds what this version cannot read. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

function fail(shape: Shape, json: Json | undefined): never {
  throw new DecodeError(`Not a ${shape.type}: ${JSON.stringify(json)}`);
}

/**
 * The range is what a sane command holds, and what tests make. A number beyond it, and beyond the safe integers, is read back as
 * it was: the command was refused for it, and is again when it is replayed.
 */
export function integer(minimum: number, maximum: number): Field<number> {
  const shape: Shape = { type: 'integer', minimum, maximum };
  return {
    shape,
    encode: (value) => value,
    decode: (json) => (typeof json === 'number' && Number.isInteger(json) ? json : fail(shape, json)),
  };
}

/** Smallest units, as text: a JSON number would lose them. */
export function amount(minimum: bigint, maximum: bigint): Field<bigint> {
  const shape: Shape = { type: 'amount', minimum, maximum };
  return {
    shape,
    encode: (value) => value.toString(),
    decode: (json) => (typeof json === 'string' && /^-?\d+$/.test(json) ? BigInt(json) : fail(shape, json)),
  };
}

export function text(maximum: number, minimum = 0): Field<string> {
  const shape: Shape = { type: 'text', minimum, maximum };
  return { shape, encode: (value) => value, decode: (json) => (typeof json === 'string' ? json : fail(shape, json)) };
}

export const boolean: Field<boolean> = {
  shape: { type: 'boolean' },
  encode: (value) => value,
  decode: (json) => (typeof json === 'boolean' ? json : fail({ type: 'boolean' }, json)),
};

/** One of a list, written as its index: new values go last. */
export function choice<const Value extends string | number>(values: readonly Value[]): Field<Value> {
  const shape: Shape = { type: 'choice', values };
  return {
    shape,
    encode: (value) => values.indexOf(value),
    decode: (json) => (typeof json === 'number' ? values[json] : undefined) ?? fail(shape, json),
  };
}

/** What is absent is written as an empty text, which no other field's encoding is. */
export function optional<Value>(of: Field<Value>): Field<Value | undefined> {
  return {
    shape: { type: 'optional', of: of.shape },
    encode: (value) => (value === undefined ? '' : of.encode(value)),
    decode: (json) => (json === '' || json === undefined ? undefined : of.decode(json)),
  };
}

type Fields<Value> = { readonly [Name in keyof Value]-?: Field<Value[Name]> };

/** An object, written as a list of its fields in the order of the declaration. */
export function record<Value extends object>(fields: Fields<Value>): Field<Value> {
  const named = Object.entries(fields) as [string, Field<unknown>][];
  const shape: Shape = { type: 'record', fields: named.map(([name, field]) => [name, field.shape] as const) };
  return {
    shape,
    encode: (value) => named.map(([name, field]) => field.encode((value as Record<string, unknown>)[name])),
    decode: (json) => {
      if (!Array.isArray(json)) return fail(shape, json);
      return Object.fromEntries(named.map(([name, field], index) => [name, field.decode(json[index])])) as Value;
    },
  };
}

export function list<Value>(of: Field<Value>, maximum: number): Field<readonly Value[]> {
  const shape: Shape = { type: 'list', of: of.shape, maximum };
  return {
    shape,
    encode: (values) => values.map((value) => of.encode(value)),
    decode: (json) => (Array.isArray(json) ? json.map((one: Json) => of.decode(one)) : fail(shape, json)),
  };
}

/**
 * What a command is for.
 *
 * - `places`: it places an order, under an id of its own.
 * - `changes`: it changes an order, or how a position is kept.
 * - `cancels`: it cancels one order that it names; `clears`: as many as there are, and its answer says how many.
 * - `funds`: it moves money that no trade moves.
 * - `administers`: an operator's change of what is traded, or on which terms.
 * - `follows`: the exchange's own work, such as a price that it was told and a liquidation that is due.
 */
export type Purpose = 'places' | 'changes' | 'cancels' | 'clears' | 'funds' | 'administers' | 'follows';

/** What others need to know of a command, without a list of its name anywhere else. */
export interface CommandProperties {
  readonly purpose: Purpose;
  /** Whether it is taken from an owner who may do nothing else, such as one whose account is frozen. */
  readonly whenFrozen: 'allowed' | 'refused';
  /** `refused`: it never succeeds in a halted market that has traded; `allowed`: the halt is never what it is refused for. */
  readonly whenHalted: 'allowed' | 'refused';
}

export interface CommandDeclaration<Command extends { readonly kind: string } = { readonly kind: string }>
  extends CommandProperties {
  readonly number: number;
  readonly kind: Command['kind'];
  /** Of all fields but the kind. */
  readonly shape: Shape;
  /** The number, then the fields in the order of the declaration. */
  encode(command: Command): readonly Json[];
  decode(tuple: readonly Json[]): Command;
}

export function defineCommand<Command extends { readonly kind: string }>(
  number: number,
  kind: Command['kind'],
  properties: CommandProperties,
  fields: Fields<Omit<Command, 'kind'>>,
): CommandDeclaration<Command> {
  const body = record(fields as Fields<object>);
  return {
    number,
    kind,
    ...properties,
    shape: body.shape,
    encode: (command) => [number, ...(body.encode(command) as readonly Json[])],
    decode: (tuple) => ({ kind, ...body.decode(tuple.slice(1)) }) as Command,
  };
}
