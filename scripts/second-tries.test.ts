import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startVitest } from 'vitest/node';
import { SecondTries } from './second-tries.ts';

const BODY = `
import { expect, it } from 'vitest';
let tries = 0;
it('stands at once', () => {});
it('stands at last', () => expect(++tries).toBe(2));
it('sees a page', () => { tries += 1; if (tries < 4) throw new Error('too early\\nshown: a page'); });
it('wants something', ({ skip }) => skip('the moon is not full'));`;

it('names a test that passed only when it was tried again, and says what another was skipped for', async () => {
  const root = join(import.meta.dirname, '..');
  const name = `second-try-${process.pid}.example.ts`;
  writeFileSync(join(import.meta.dirname, name), BODY);
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const options = { root, config: false as const, watch: false, include: [`scripts/${name}`], retry: 1 };
    const vitest = await startVitest('test', [], { ...options, reporters: [new SecondTries()] });
    await vitest.close();
    const words = said.mock.calls.flat().join('\n');
    expect(words).toContain('2 passed only at a second try');
    expect(words).toContain(`scripts/${name} > stands at last`);
    expect(words).toMatch(/expected 1 to be 2.* \(line 5\)/);
    expect(words).toMatch(/too early \(line \d+\)\n {4}shown: a page$/m);
    expect(words).not.toContain('stands at once');
    expect(words).toContain('1 tests were skipped: the moon is not full');
  } finally {
    said.mockRestore();
    rmSync(join(import.meta.dirname, name));
  }
}, 60_000);
