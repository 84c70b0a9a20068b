/** What all projects of a test run share: each asks for it, and the process that runs them has it once. */

interface Shared<Value> {
  readonly made: Promise<{ readonly value: Value; remove(): Promise<void> | void }>;
  users: number;
}

declare global {
  /** Of the process: each project has modules of its own. */
  var cambistShared: Map<string, Shared<unknown>> | undefined;
}

/** @returns what was made, and how to leave it: the last one removes it */
export async function shared<Value>(
  name: string,
  make: () => Promise<{ readonly value: Value; remove(): Promise<void> | void }>,
): Promise<{ readonly value: Value; leave(): Promise<void> }> {
  globalThis.cambistShared ??= new Map();
  const all = globalThis.cambistShared as Map<string, Shared<Value>>;
  const one = all.get(name) ?? { made: make(), users: 0 };
  all.set(name, one);
  one.users += 1;
  const { value, remove } = await one.made;
  const leave = async () => {
    one.users -= 1;
    if (one.users > 0) return;
    all.delete(name);
    await remove();
  };
  return { value, leave };
}
