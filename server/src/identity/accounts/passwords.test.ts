import { hash } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

it('makes hashes that cost what is recommended, unless it is told otherwise', async () => {
  expect(await createPasswords().hash('a-long-password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const cheap = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  expect(await cheap.hash('a-long-password')).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
});

it('verifies by the cost that is written into the hash', async () => {
  const known = await createPasswords({ memoryCost: 16, timeCost: 1, parallelism: 1 }).hash('a-long-password');
  const passwords = createPasswords();
  expect(await passwords.verify(known, 'a-long-password')).toBe(true);
  expect(await passwords.verify(known, 'another-password')).toBe(false);
  expect(await passwords.verify(undefined, 'a-long-password')).toBe(false);
});

it('takes the same letters for the same password, and still knows a hash of what was typed before', async () => {
  const [composed, decomposed] = ['Gr\u00fc\u00dfe aus K\u00f6ln', 'Gru\u0308\u00dfe aus Ko\u0308ln'];
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  const passwords = createPasswords(cost);
  const known = await passwords.hash(decomposed);
  for (const typed of [composed, decomposed]) expect(await passwords.verify(known, typed)).toBe(true);
  expect(await passwords.verify(known, 'Gruesse aus Koeln')).toBe(false);
  const before = await hash(decomposed, cost);
  expect(await passwords.verify(before, decomposed)).toBe(true);
  expect(await passwords.verify(before, 'Gr\u00fc\u00dfe')).toBe(false);
});
