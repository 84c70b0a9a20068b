/**
 * Messages between the server and the signer: JSON lines, each signed by its side (Ed25519) over direction, id, time and the
 * body's own bytes. A request that is older than a minute is refused; one that comes twice has the same answer.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { FAMILIES } from '../funds/chains/addresses.ts';
import { paymentId } from '../funds/chains/transactions.ts';
import { intent, keyIndex } from './intent.ts';
import { reserves } from './reserves.ts';

/** Far above any message of ours. */
export const MAXIMUM_LINE = 256 * 1024;
/** Clocks of both machines may differ by so much. */
export const FRESH_MS = 60_000;

export type Direction = 'request' | 'answer';

const envelope = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  /** Ms since 1970, by the clock of who sends it. */
  time: z.number().int(),
  /** JSON. */
  body: z.string(),
  signature: z.string().max(100),
});
export type Envelope = z.output<typeof envelope>;

export const request = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('sign'), intent, newest: paymentId.nullable() }),
  z.strictObject({ call: z.literal('signed'), id: z.string().max(100) }),
  z.strictObject({ call: z.literal('xpub'), family: z.enum(FAMILIES) }),
  z.strictObject({
    call: z.literal('address'),
    family: z.enum(FAMILIES),
    index: keyIndex,
  }),
  z.strictObject({ call: z.literal('hot-address'), network: networkName }),
  z.strictObject({ call: z.literal('reserves'), statement: reserves }),
  z.strictObject({ call: z.literal('cold-address'), network: networkName }),
]);
export type SignerRequest = z.input<typeof request>;

/** `STALE`: clocks differ, or it is an old one. `INVALID`: not of this form. `FAILED`: the signer's log says why. */
export const answer = z.union([
  z.strictObject({ value: z.unknown() }),
  z.strictObject({ error: z.enum(['STALE', 'INVALID', 'FAILED']) }),
]);

const bytesOf = (direction: Direction, { id, time, body }: Omit<Envelope, 'signature'>) =>
  Buffer.from(`cambist-signer ${direction}\n${id}\n${time}\n${body}`);

export function writeMessage(direction: Direction, key: KeyObject, id: string, time: number, body: string): string {
  const signature = sign(null, bytesOf(direction, { id, time, body }), key).toString('base64');
  return `${JSON.stringify({ id, time, body, signature })}\n`;
}

/** @returns undefined unless the other side has signed it, in this direction */
export function readMessage(direction: Direction, key: KeyObject, line: string): Envelope | undefined {
  try {
    const message = envelope.parse(JSON.parse(line));
    const isSigned = verify(null, bytesOf(direction, message), key, Buffer.from(message.signature, 'base64'));
    return isSigned ? message : undefined;
  } catch {
    return undefined;
  }
}

function readKey(read: (pem: string) => KeyObject, pem: string, name: string): KeyObject {
  let key: KeyObject;
  try {
    key = read(pem);
  } catch (cause) {
    throw new Error(`${name} holds no key that can be read`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${name} is no Ed25519 key`);
  return key;
}

/** @param pem of PKCS #8 */
export const readPrivateKey = (pem: string, name: string): KeyObject => readKey(createPrivateKey, pem, name);

/** @param pem of SPKI; a private key is refused */
export function readPublicKey(pem: string, name: string): KeyObject {
  if (!pem.includes('BEGIN PUBLIC KEY')) throw new Error(`${name} is no public key`);
  return readKey(createPublicKey, pem, name);
}

/** Where the signer listens: a path, or host:port. */
export function listenAddress(text: string): { path: string } | { host: string; port: number } {
  const [, host, port] = /^([\w.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined) return { path: text };
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Splits what comes into lines. @returns undefined once a line is too long */
export function createLines(): (chunk: Buffer) => string[] | undefined {
  let rest = '';
  return (chunk) => {
    const parts = `${rest}${chunk.toString('latin1')}`.split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAXIMUM_LINE || parts.some(({ length }) => length > MAXIMUM_LINE)) return undefined;
    return parts.map((part) => Buffer.from(part, 'latin1').toString('utf8'));
  };
}
