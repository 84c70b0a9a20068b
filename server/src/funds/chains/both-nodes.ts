/** Questions to two nodes that are run apart from each other, and what follows where they do not say the same. */
import { NodeFailure } from './service.ts';

export type Two<Node> = readonly [first: Node, second: Node];

/**
 * Every member of what a pair stands for, those that may be absent too: one that a pair does not know would be lost where
 * there are two nodes, and so fails its types.
 */
export type Whole<Of> = { readonly [Name in keyof Required<Of>]: Of[Name] };

export type Answered<Value> = { readonly value: Value } | { readonly failure: NodeFailure };

/** What a node says, or that it is away. */
export const answered = <Value>(asked: Promise<Value>): Promise<Answered<Value>> =>
  asked.then(
    (value) => ({ value }),
    (failure: unknown) => {
      if (failure instanceof NodeFailure) return { failure };
      throw failure;
    },
  );

const asked = <Node, Value>([first, second]: Two<Node>, ask: (node: Node) => Promise<Value>) =>
  Promise.all([answered(ask(first)), answered(ask(second))]);

/** What both say. @throws NodeFailure where one is away */
export async function both<Node, Value>(nodes: Two<Node>, ask: (node: Node) => Promise<Value>): Promise<Two<Value>> {
  const [here, there] = await asked(nodes, ask);
  if ('failure' in here) throw here.failure;
  if ('failure' in there) throw there.failure;
  return [here.value, there.value];
}

/** Undefined of one that is away. @throws NodeFailure where both are */
export async function each<Node, Value>(
  nodes: Two<Node>,
  ask: (node: Node) => Promise<Value>,
): Promise<Two<Value | undefined>> {
  const [here, there] = await asked(nodes, ask);
  if ('failure' in here && 'failure' in there) throw here.failure;
  return ['value' in here ? here.value : undefined, 'value' in there ? there.value : undefined];
}

/** What follows of what both say; what the other one says where one is away. @throws NodeFailure where both are */
export async function merged<Node, Value>(
  nodes: Two<Node>,
  ask: (node: Node) => Promise<Value>,
  merge: (here: Value, there: Value) => Value,
): Promise<Value> {
  const [here, there] = await asked(nodes, ask);
  if ('value' in here) return 'value' in there ? merge(here.value, there.value) : here.value;
  if ('value' in there) return there.value;
  throw here.failure;
}

/** Branches of one network are one again after two or three blocks, and indexes of nodes in moments. */
export const SPLIT_MS = 60_000;
/** A question that was not asked for so long is none any more: its block was replaced, or its payment has ended. */
const FORGOTTEN_MS = 2 * SPLIT_MS;

/** Of what two nodes say different things, when they first did, and when they last did. */
export class Disagreements {
  readonly #clock: { now(): number };
  readonly #about = new Map<string, { readonly first: number; readonly last: number }>();

  constructor(clock: { now(): number }) {
    this.#clock = clock;
  }

  /** About one of them they have been asked for longer than branches and lags last. */
  get isSplit(): boolean {
    const now = this.#clock.now();
    return [...this.#about.values()].some(({ first, last }) => last - first >= SPLIT_MS && now - last <= FORGOTTEN_MS);
  }

  /** @param about what both were asked @param isOne whether they have said different things */
  note(about: string, isOne: boolean): void {
    const now = this.#clock.now();
    for (const [old, { last }] of this.#about) if (now - last > FORGOTTEN_MS) this.#about.delete(old);
    if (isOne) this.#about.set(about, { first: this.#about.get(about)?.first ?? now, last: now });
    else this.#about.delete(about);
  }
}
