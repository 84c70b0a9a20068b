/** The signer as a process of its own. */
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  DEVELOPMENT_POLICY,
  developmentIntent,
  expectPaidOnceBack,
  makeSigner,
  type SignerOfTests,
  STRANGER,
  signerCommand,
} from '../../test/signer-process.ts';
import { createLogger } from '../platform/logger.ts';
import { connectSigner } from './client.ts';
import { makeKeys } from './folder.ts';
import { readPrivateKey, writeMessage } from './messages.ts';
import { SignerAway } from './service.ts';

const logger = createLogger('silent');

let signer: SignerOfTests;
let paper = '';

/** Sends lines as they are. @returns what comes back until the other side ends it, or has answered as often */
async function say(lines: readonly string[]): Promise<string[]> {
  const socket = connect({ path: signer.settings.SIGNER_LISTEN });
  let text = '';
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.on('error', () => resolve());
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.split('\n').length > lines.length) resolve();
    });
  });
  for (const line of lines) socket.write(line);
  await over;
  socket.destroy();
  return text.split('\n').slice(0, -1);
}

const bodyOf = (line = '{}') => (JSON.parse(line) as { body: string }).body;

beforeAll(async () => {
  signer = await makeSigner(DEVELOPMENT_POLICY);
  paper = /^ {2}([0-9a-f ]+)$/m.exec(signer.shown)?.[1] ?? '';
});
// A start decrypts the seed, which takes half a second: the tests share one process, until they kill it themselves.
beforeEach(() => signer.start());
afterAll(async () => {
  await signer.kill('SIGKILL');
  signer.remove();
});

it('answers the server over its socket, with the same bytes after a kill -9, and its files are its own (fault 1)', async () => {
  const server = signer.link();
  const first = await server.sign(developmentIntent(1));
  expect(first).toMatchObject({ ok: true, terms: { nonce: 1 } });
  expect(await server.hotAddress('ERC20')).toMatch(/^0x/);
  expect(await server.coldAddress('ERC20')).toBeNull();
  expect(statSync(join(signer.settings.SIGNER_DIR, 'seed.json')).mode & 0o077).toBe(0);
  expect(statSync(signer.settings.SIGNER_LISTEN).mode & 0o077).toBe(0);
  const lost = server.sign(developmentIntent(2)).catch((error: unknown) => expect(error).toBeInstanceOf(SignerAway));
  await signer.kill('SIGKILL');
  await lost;
  await expect(server.sign(developmentIntent(1))).rejects.toThrow(SignerAway);
  await signer.start();
  expect(await server.sign(developmentIntent(1))).toEqual(first);
  const again = await server.sign(developmentIntent(2));
  expect(await signer.link().sign(developmentIntent(2))).toEqual(again);
  expect(await server.signed('book:2')).toEqual([{ attempt: 1, ...again, ok: undefined }]);
  expect(await server.sign(developmentIntent(2, 6n))).toEqual({ ok: false, code: 'CHANGED' });
});

it('lists beside a signer that runs what left the exchange from a day on, each payment once, and cuts nothing off', async () => {
  const server = signer.link();
  const { transaction } = (await server.sign(developmentIntent(3))) as { transaction: string };
  const file = join(signer.settings.SIGNER_DIR, 'signed.jsonl');
  appendFileSync(file, '{"id":"being written');
  const before = readFileSync(file, 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const { code, text } = await signerCommand(['signed', today], signer.settings);
  expect(code).toBe(0);
  const rows = text.trimEnd().split('\n');
  expect(rows[0]).toBe('day\tnumber\tnetwork\tcontract\tsmallest units\taddress\ttransaction');
  const { payment } = developmentIntent(3);
  const words = [today, 'book:3', payment.network, '-', payment.units, payment.address, transaction];
  expect(rows.filter((row) => row.includes('book:3'))).toEqual([words.join('\t')]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await signerCommand(['signed', tomorrow], signer.settings)).text.trimEnd()).toBe(rows[0]);
  expect(await signerCommand(['signed', 'yesterday'], signer.settings)).toMatchObject({ code: 1 });
  // The next start cuts off what was only half written.
  await signer.kill('SIGKILL');
});

it('signs what its hot wallet holds, told in figures, and no text of others', async () => {
  const server = signer.link();
  const address = await server.hotAddress('ERC20');
  const hash = 'a'.repeat(64);
  const held = { kind: 'hot', network: 'ERC20', coin: 'ETH', scale: 18, height: 5, hash: `0x${hash}` } as const;
  const statement = {
    ...{ batch: 7, time: 1, state: 'ab', commitment: hash },
    assets: [{ coin: 'ETH', scale: 8, sum: 5n, root: hash }],
    holdings: [{ ...held, address, units: 10n ** 19n }],
  };
  const told = await server.reserves(statement);
  expect(told).toMatchObject({ ok: true, signatures: [{ address }] });
  expect(await server.reserves(statement)).toEqual(told);
  const foreign = { ...held, address: STRANGER, units: 1n };
  expect(await server.reserves({ ...statement, holdings: [foreign] })).toEqual({ ok: false, code: 'NOT_OWN' });
  const text = { ...statement, state: 'ab\ncommitment of another' };
  await expect(server.reserves(text)).rejects.toThrow('INVALID');
});

it('answers nothing that the server has not signed now: another key, a changed body, an old request, nonsense', async () => {
  makeKeys(join(signer.root, 'stranger'), 'server-key.pem', 'server-key.pub.pem');
  await expect(signer.link(join(signer.root, 'stranger/server-key.pem')).hotAddress('ERC20')).rejects.toThrow(
    SignerAway,
  );
  const key = readPrivateKey(readFileSync(signer.keyFile, 'utf8'), 'key');
  const body = JSON.stringify(
    {
      call: 'sign',
      intent: { ...developmentIntent(7), payment: { ...developmentIntent(7).payment, units: '5' } },
      newest: null,
    },
    (_, one) => (typeof one === 'bigint' ? String(one) : one),
  );
  const line = writeMessage('request', key, 'id-1', Date.now(), body);
  expect(await say([line.replace('\\"units\\":\\"5\\"', '\\"units\\":\\"6\\"')])).toEqual([]);
  expect(await say([writeMessage('answer', key, 'id-1', Date.now(), body)])).toEqual([]);
  expect(await say(['{}\n'])).toEqual([]);
  expect(await say(['x'.repeat(300_000)])).toEqual([]);
  const old = writeMessage('request', key, 'id-2', Date.now() - 61_000, body);
  expect(bodyOf((await say([old]))[0])).toBe('{"error":"STALE"}');
  expect(bodyOf((await say([writeMessage('request', key, 'id-3', Date.now(), '{"call":"sign"}')]))[0])).toBe(
    '{"error":"INVALID"}',
  );
  // A copy of a good request gets the same bytes once more, and pays nothing more.
  const [one, two] = await say([line, line]);
  expect(bodyOf(one)).toContain('"ok":true');
  expect(bodyOf(two)).toBe(bodyOf(one));
});

it('cuts off connections that do not show the key of the server, and answers it meanwhile however many there are', async () => {
  const sockets = Array.from({ length: 60 }, () => connect({ path: signer.settings.SIGNER_LISTEN }));
  const ends = sockets.map((socket) => new Promise((resolve) => socket.on('error', resolve).once('close', resolve)));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  // Bytes that are no message keep none of them open.
  const speaking = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 500);
  const begun = performance.now();
  expect(await signer.link().hotAddress('ERC20')).toMatch(/^0x/);
  expect(performance.now() - begun).toBeLessThan(4_000);
  await Promise.all(ends);
  clearInterval(speaking);
  expect(performance.now() - begun).toBeLessThan(20_000);
  expect(await signer.link().hotAddress('ERC20')).toMatch(/^0x/);
});

it('does not start without its record, and asks for the backup of it', async () => {
  await signer.link().sign(developmentIntent(8));
  await signer.kill('SIGTERM');
  const file = join(signer.settings.SIGNER_DIR, 'signed.jsonl');
  const record = readFileSync(file);
  rmSync(file);
  expect(await signerCommand([], signer.settings)).toEqual({
    code: 1,
    text: expect.stringContaining('signed.jsonl is missing'),
  });
  writeFileSync(file, record.subarray(0, record.lastIndexOf('\n', record.length - 2) + 1));
  await signer.start();
  const again = developmentIntent(8, 6n);
  expect(await signer.link().sign(again, 'book:8')).toEqual({ ok: false, code: 'RECORD_BEHIND' });
  await signer.kill('SIGTERM');
  writeFileSync(file, record);
  await signer.start();
  expect(await signer.link().sign(again, 'book:8')).toEqual({ ok: false, code: 'CHANGED' });
});

it('does not believe an answer that the signer has not signed', async () => {
  const other = connectSigner({
    ...{ at: signer.settings.SIGNER_LISTEN, keyFile: signer.keyFile, clock: Date, logger },
    signerKeyFile: join(signer.root, 'server/server-key.pub.pem'),
  });
  await expect(other.hotAddress('ERC20')).rejects.toThrow(/not signed/);
});

it('is restored from paper with the same addresses, and refuses a second process on its folder', async () => {
  const before = await signer.link().hotAddress('BTC');
  const second = await signerCommand([], signer.settings);
  expect(second).toEqual({ code: 1, text: expect.stringContaining('is in use') });
  await signer.kill('SIGTERM');
  rmSync(join(signer.settings.SIGNER_DIR, 'seed.json'));
  const restore = (written: string) => signerCommand(['restore'], signer.settings, written);
  expect((await restore(paper.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))).code).toBe(1);
  expect((await restore(paper)).code).toBe(0);
  expect((await restore(paper)).text).toContain('EEXIST');
  await signer.start();
  expect(await signer.link().hotAddress('BTC')).toBe(before);
});

it('pays for a server that has no keys of its own, and what it was away for goes on afterwards', async () => {
  await expectPaidOnceBack(
    signer,
    () => signer.kill('SIGKILL'),
    () => signer.start(),
  );
});
