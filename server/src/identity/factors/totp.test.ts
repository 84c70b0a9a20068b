/** Codes of an authenticator app, guessed at many at once. */
import { expect, it } from 'vitest';
import { createEncryption } from '../../platform/encryption.ts';
import type { FactorStore } from './store.ts';
import { createTotp } from './totp.ts';

it('looks at five of sixty guesses that come at once', async () => {
  let looks = 0;
  const store = {
    totp: async () => {
      looks += 1;
      return undefined;
    },
  } as unknown as FactorStore;
  const totp = createTotp({ store, encryption: createEncryption(Buffer.alloc(32)), siteName: 'Cambist', clock: Date });
  const guesses = Array.from({ length: 60 }, (_, guess) => totp.check(7, String(guess).padStart(6, '0')));
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(looks).toBe(5);
});
