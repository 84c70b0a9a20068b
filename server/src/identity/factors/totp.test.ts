/** Codes of an authenticator app, guessed at many at once. */
import { generateSecret, generateSync } from 'otplib';
import { expect, it } from 'vitest';
import { openMigrated } from '../../../test/databases.ts';
import { createEncryption } from '../../platform/encryption.ts';
import { createFactorStore, type FactorStore } from './store.ts';
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

it('takes a code where a clock that was ahead has remembered a step of the future, and still only once', async () => {
  const { source, database } = await openMigrated('pglite');
  const store = createFactorStore(database);
  const encryption = createEncryption(Buffer.alloc(32));
  const secret = generateSecret();
  await database.transaction([
    { sql: 'SET LOCAL session_replication_role = replica' },
    {
      sql: 'INSERT INTO totp (client_id, secret, enabled_at, last_step) VALUES (7, $1, 1, 0)',
      parameters: [encryption.encrypt(secret, 'totp:7')],
    },
  ]);
  let now = 1_800_000_000_000;
  const totp = createTotp({ store, encryption, siteName: 'Cambist', clock: { now: () => now } });
  const verdict = () => totp.verdict(7, generateSync({ secret, epoch: Math.floor(now / 1000) }));
  now += 365 * 86_400_000;
  expect(await verdict()).toBe('right');
  now -= 365 * 86_400_000;
  expect(await verdict()).toBe('right');
  expect(await verdict()).toBe('used');
  // A code of the step before, once the next one was used: within the tolerance nothing is good again.
  now += 30_000;
  expect(await verdict()).toBe('right');
  now -= 30_000;
  expect(await verdict()).toBe('used');
  await database.close();
  await source.remove();
});
