import { expect, it, vi } from 'vitest';
import { FileSlots, guardedText } from './files.ts';

async function* parts(): AsyncGenerator<string, void, void> {
  yield 'one';
  yield 'two';
  yield 'three';
}

it('ends a file with the session that reads it, and gives its slot back', async () => {
  let isAdmitted = true;
  const ended = vi.fn();
  const text = guardedText(parts(), async () => isAdmitted, ended);
  expect(await text.next()).toEqual({ done: false, value: 'one' });
  isAdmitted = false;
  await expect(text.next()).rejects.toThrow('no longer admitted');
  expect(ended).toHaveBeenCalledTimes(1);
});

it('has one slot for each client, and a few for all', () => {
  const slots = new FileSlots(2);
  const first = slots.take(1);
  expect(slots.take(1)).toBeUndefined();
  expect(slots.take(2)).toBeDefined();
  expect(slots.take(3)).toBeUndefined();
  first?.();
  expect(slots.take(3)).toBeDefined();
  // A slot that is given back twice is not another's.
  first?.();
  expect(slots.take(1)).toBeUndefined();
});
