/** The seed at rest: encrypted by a passphrase (scrypt, AES-256-GCM). What is written down on paper is the seed in hex. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';

const SEED_BYTES = 32;
const CHECK_DIGITS = 8;
const CONTEXT = Buffer.from('cambist signer seed');
const LEAST_PASSPHRASE = 12;
/** 128 MiB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };

const hex = z.string().regex(/^([0-9a-f]{2})+$/);
const file = z.strictObject({
  version: z.literal(1),
  N: z
    .number()
    .int()
    .min(COST.N)
    .max(2 ** 20),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: hex,
  nonce: hex,
  tag: hex,
  encrypted: hex,
});

const keyOf = (passphrase: string, salt: Buffer, N: number) =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, { ...COST, N, maxmem: 256 * N * COST.r });

/** The first line of a file. */
export function readPassphrase(path: string): string {
  const [passphrase = ''] = readFileSync(path, 'utf8').split(/\r?\n/);
  if (passphrase.length < LEAST_PASSPHRASE)
    throw new Error(`${path}: a passphrase has at least ${LEAST_PASSPHRASE} characters`);
  return passphrase;
}

export const newSeed = (): Buffer => randomBytes(SEED_BYTES);

const checkOf = (seed: Uint8Array) => createHash('sha256').update(seed).digest('hex').slice(0, CHECK_DIGITS);

/** In groups that are easily read out; the last one is a check of the others. */
export const writtenDown = (seed: Uint8Array): string =>
  `${Buffer.from(seed).toString('hex')}${checkOf(seed)}`.replace(/(.{8})(?=.)/g, '$1 ');

/** @throws where a digit is wrong or missing */
export function fromWrittenDown(text: string): Buffer {
  const digits = text.toLowerCase().replace(/\s+/g, '');
  const seed = Buffer.from(digits.slice(0, SEED_BYTES * 2), 'hex');
  const isWhole = /^[0-9a-f]+$/.test(digits) && digits.length === SEED_BYTES * 2 + CHECK_DIGITS;
  if (!isWhole || digits.slice(SEED_BYTES * 2) !== checkOf(seed))
    throw new Error('This is not the seed as it was written down: compare every digit');
  return seed;
}

/** Never in the place of another. */
export function writeSeed(path: string, seed: Uint8Array, passphrase: string): void {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt, COST.N), nonce).setAAD(CONTEXT);
  const encrypted = Buffer.concat([cipher.update(seed), cipher.final()]).toString('hex');
  const parts = { salt: salt.toString('hex'), nonce: nonce.toString('hex'), tag: cipher.getAuthTag().toString('hex') };
  const out = openSync(path, 'wx', 0o600);
  writeSync(out, `${JSON.stringify({ version: 1, ...COST, ...parts, encrypted })}\n`);
  fsyncSync(out);
  closeSync(out);
}

export function readSeed(path: string, passphrase: string): Buffer {
  const { N, salt, nonce, tag, encrypted } = file.parse(JSON.parse(readFileSync(path, 'utf8')));
  const bytes = (text: string) => Buffer.from(text, 'hex');
  const key = keyOf(passphrase, bytes(salt), N);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(nonce), { authTagLength: 16 });
  decipher.setAAD(CONTEXT).setAuthTag(bytes(tag));
  try {
    return Buffer.concat([decipher.update(bytes(encrypted)), decipher.final()]);
  } catch (cause) {
    throw new Error(`${path} was encrypted by another passphrase, or was changed`, { cause });
  }
}
