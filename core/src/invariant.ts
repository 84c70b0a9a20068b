/** Named facts about a broken rule, for whoever reads the last log line. */
export type Facts = Readonly<Record<string, string | number | bigint | boolean>>;

/**
 * A rule that can't be broken by any input was broken: the state in memory is wrong. Nothing catches this to go on;
 * the process stops before it commits anything.
 */
export class InvariantError extends Error {
  readonly facts: Facts;

  constructor(rule: string, facts: Facts = {}) {
    const details = Object.entries(facts).map(([name, value]) => `${name}=${value}`);
    super([rule, ...details].join(' '));
    this.name = 'InvariantError';
    this.facts = facts;
  }
}

/** Throws an `InvariantError` unless the rule holds. Not for hot paths: the facts are built on every call. */
export function invariant(holds: boolean, rule: string, facts: Facts = {}): asserts holds {
  if (!holds) throw new InvariantError(rule, facts);
}
