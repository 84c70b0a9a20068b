/** The server's side of the connection, with a signer that is there and answers little. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { connectSigner } from './client.ts';
import { createLines, readMessage, writeMessage } from './messages.ts';
import { SignerAway, type SignerLink } from './service.ts';

let directory: string;
let answers: (call: string) => boolean;
let signer: SignerLink;
let close: () => Promise<void>;

function writtenKeys(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [secret, known] = [join(directory, `${name}.pem`), join(directory, `${name}.pub.pem`)];
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(known, publicKey.export({ type: 'spki', format: 'pem' }));
  return { privateKey, publicKey, secret, known };
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cambist-signer-client-'));
  const [own, server] = [writtenKeys('signer'), writtenKeys('server')];
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    const lines = createLines();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines(chunk) ?? []) {
        const message = readMessage('request', server.publicKey, line);
        const call = (JSON.parse(message?.body ?? '{}') as { call?: string }).call ?? '';
        if (message === undefined || !answers(call)) continue;
        socket.write(writeMessage('answer', own.privateKey, message.id, Date.now(), JSON.stringify({ value: call })));
      }
    });
  });
  const at = join(directory, 'socket');
  await new Promise<void>((resolve) => listener.listen(at, resolve));
  signer = connectSigner({
    ...{ at, keyFile: server.secret, signerKeyFile: own.known, clock: Date, logger: createLogger('silent') },
    patienceMs: 300,
  });
  close = () =>
    new Promise((resolve) => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
});
afterEach(async () => {
  await close();
  rmSync(directory, { recursive: true, force: true });
});

/** Other questions all the while, each of which keeps the connection from being idle. */
async function askOften(): Promise<void> {
  for (let asked = 0; asked < 12; asked += 1) {
    void signer.hotAddress('ERC20').catch(() => undefined);
    await sleep(100);
  }
}

it('is away for a question that it does not answer in time, though it answers others', async () => {
  answers = (call) => call !== 'cold-address';
  const waits = signer.coldAddress('ERC20').catch((error: Error) => error);
  await askOften();
  expect(await Promise.race([waits, 'still waiting'])).toBeInstanceOf(SignerAway);
  expect(await signer.hotAddress('ERC20')).toBe('hot-address');
});

it('is away while it takes questions and answers none, however many come', async () => {
  answers = () => false;
  const waits = signer.coldAddress('ERC20').catch((error: Error) => error);
  await askOften();
  expect(await Promise.race([waits, 'still waiting'])).toBeInstanceOf(SignerAway);
});
