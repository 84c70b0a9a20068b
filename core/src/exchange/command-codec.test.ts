import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandDeclaration, Json, Shape } from '../commands/define-command.ts';
import { listing, TEST_MARKETS, TEST_PERPETUALS } from '../simulation/markets.ts';
import { createReferenceExchange } from '../simulation/reference-exchange.ts';
import type { Command } from './command.ts';
import { COMMANDS, decodeCommand, encodeCommand } from './command-codec.ts';
import { createExchange } from './create-exchange.ts';
import { digestOf } from './digest.ts';

/** Anything that a declaration allows. */
function arbitrary(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.type) {
    case 'integer':
      // Small numbers as often as any, so that commands meet each other.
      return fc.oneof(
        fc.integer({ min: shape.minimum, max: Math.min(shape.maximum, shape.minimum + 6) }),
        fc.integer({ min: shape.minimum, max: shape.maximum }),
      );
    case 'amount':
      return fc.bigInt(shape.minimum, shape.maximum);
    case 'text':
      return fc.string({ minLength: shape.minimum, maxLength: Math.min(shape.maximum, 12) });
    case 'boolean':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...shape.values);
    case 'optional':
      return fc.option(arbitrary(shape.of), { nil: undefined });
    case 'list':
      return fc.array(arbitrary(shape.of), { maxLength: Math.min(shape.maximum, 4) });
    case 'record':
      return fc.record(Object.fromEntries(shape.fields.map(([name, of]) => [name, arbitrary(of)])));
  }
}

const declarations = COMMANDS as readonly unknown[] as readonly CommandDeclaration[];
const commandOf = ({ kind, shape }: CommandDeclaration) =>
  arbitrary(shape).map((fields) => ({ kind, ...(fields as object) }) as Command);

describe('the codec of commands', () => {
  it.each(declarations)('reads back what it wrote, $kind', (declaration) => {
    fc.assert(
      fc.property(commandOf(declaration), (command) => {
        const text = JSON.stringify(encodeCommand(command));
        expect(decodeCommand(JSON.parse(text) as Json[])).toEqual(command);
      }),
      { numRuns: 100 },
    );
  });

  it.each([2 ** 53, 1e16, -(2 ** 70), 1e300])('reads back %d, for which the core refuses a command', (orderId) => {
    const command: Command = { kind: 'cancel-order', orderId, owner: 200 };
    expect(decodeCommand(JSON.parse(JSON.stringify(encodeCommand(command))) as Json[])).toEqual(command);
    for (const exchange of [createExchange(), createReferenceExchange()])
      expect(exchange.apply(1, command)).toEqual({ ok: false, reason: 'ORDER_NOT_FOUND' });
  });

  it('gives every kind a number of its own', () => {
    expect(new Set(declarations.map(({ number }) => number)).size).toBe(declarations.length);
    expect(new Set(declarations.map(({ kind }) => kind)).size).toBe(declarations.length);
  });

  it.each([[[99]], [[2, 'x', 200]], [[2, 1.5, 200]], [[1, 1, 200, 0, 7, 0, 0, 1, 1, '0', 0]], [[23, 1]]])(
    'stops at %j, which it never wrote',
    (tuple) => {
      expect(() => decodeCommand(tuple as Json[])).toThrow(/journal|Not a/);
    },
  );
});

describe('any command that a declaration allows', () => {
  it('has the same outcome and the same state in both engines, and the same digest when it is replayed', () => {
    const any = fc.oneof(...declarations.map(commandOf));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (commands) => {
        const [fast, again, reference] = [createExchange(), createExchange(), createReferenceExchange()];
        for (const command of [...listing([...TEST_MARKETS, ...TEST_PERPETUALS]), ...commands]) {
          const outcome = fast.apply(1, command);
          expect(reference.apply(1, command)).toEqual(outcome);
          const replayed = again.apply(1, decodeCommand(JSON.parse(JSON.stringify(encodeCommand(command)))));
          const digests = [fast, again].map((one) => digestOf([outcome], one.takeBatch(), one.counters()));
          expect(replayed).toEqual(outcome);
          expect(digests[1]).toBe(digests[0]);
        }
        expect(reference.stateHash()).toBe(fast.stateHash());
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
