/** Codes of an authenticator app, guessed at many at once. */
import { generateSecret, generateSync } from 'otplib';
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

it('takes a code as apps show it, in two groups', async () => {
  const encryption = createEncryption(Buffer.alloc(32));
  const secret = generateSecret();
  const row = { secret: encryption.encrypt(secret, 'totp:7'), enabled_at: 1 };
  const store = {
    totp: async () => row,
    useStep: async () => true,
    useRecoveryCode: async () => false,
  } as unknown as FactorStore;
  const totp = createTotp({ store, encryption, siteName: 'Cambist', clock: Date });
  const code = generateSync({ secret });
  expect(await totp.check(7, `${code.slice(0, 3)} ${code.slice(3)}`)).toBe(true);
});
