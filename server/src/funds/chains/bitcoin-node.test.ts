/** What a node of Bitcoin says, and how far it is believed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { readBlock, readTransaction } from './bitcoin-block.ts';
import { amount, BitcoinNode } from './bitcoin-node.ts';
import { NodeFailure } from './service.ts';

/** The first block of the main network. */
const GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';
const GENESIS_HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
/** Of BIP143: an input with a witness and one without. */
const MIXED =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000';

describe('bytes of Bitcoin', () => {
  it('of a block give its hash, and what it pays', async () => {
    const { hash, parent, transactions } = await readBlock(GENESIS);
    expect([hash, parent]).toEqual([GENESIS_HASH, '0'.repeat(64)]);
    expect(transactions[0]).toMatchObject({ isCoinbase: true, outputs: [{ units: 5_000_000_000n }] });
  });

  it('of a block are refused where any of them was changed, or some are missing or too many', async () => {
    const bytes = Buffer.from(GENESIS, 'hex');
    for (let at = 36; at < bytes.length; at += 1) {
      // Time, difficulty and nonce are in the hash alone, which is compared with what was asked for.
      if (at >= 68 && at < 80) continue;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(readBlock(changed.toString('hex')), `byte ${at}`).rejects.toThrow();
    }
    for (const cut of [0, 79, 81, 200, 284]) await expect(readBlock(GENESIS.slice(0, 2 * cut))).rejects.toThrow();
    await expect(readBlock(`${GENESIS}00`)).rejects.toThrow('The transactions are not those of the block');
  });

  it('of a transaction with witnesses are read as another library reads them', () => {
    const other = Transaction.fromRaw(Buffer.from(MIXED, 'hex'), {
      allowUnknownOutputs: true,
      allowUnknownInputs: true,
    });
    const read = readTransaction(MIXED);
    expect([read.id, read.virtualBytes, read.lockTime]).toEqual([other.id, other.vsize, other.lockTime]);
    expect(read.inputs.map(({ witness }) => witness.length)).toEqual([0, 2]);
    expect(read.outputs.map(({ units }) => units)).toEqual([112_340_000n, 223_450_000n]);
  });
});

describe('a node of Bitcoin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-cookie-'));
  const cookieFile = join(folder, 'cookie');
  let answer: (request: IncomingMessage) => { status: number; body: string };
  let most = 0;
  let now = 0;
  const server = createServer(async (request, response) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { status, body } = answer(request);
    now -= 1;
    response.writeHead(status).end(body);
  });
  const says = (body: string, status = 200) => {
    answer = () => ({ status, body });
  };
  const address = (secret = 'reader:p%40ss') => `http://${secret}@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nodeAt = (url: string, cookie?: string) => new BitcoinNode({ url, cookieFile: cookie, network: 'mainnet' });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is asked with the name and password of its address, or with its cookie as it is now', async () => {
    const seen: string[] = [];
    answer = ({ headers }) => {
      seen.push(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString());
      return { status: 200, body: '{"result":1,"error":null}' };
    };
    await nodeAt(address()).ask(z.number(), 'getblockcount', []);
    const withCookie = nodeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookieFile);
    for (const cookie of ['__cookie__:one\n', '__cookie__:two\n']) {
      writeFileSync(cookieFile, cookie);
      await withCookie.ask(z.number(), 'getblockcount', []);
    }
    expect(seen).toEqual(['reader:p@ss', '__cookie__:one', '__cookie__:two']);
  });

  it('gives amounts that are exact, whatever their size', async () => {
    says('{"result":{"a":20999999.97690001,"b":0.00000001,"c":1e-8,"text":"1.5","count":7},"error":null}');
    const shape = z.object({ a: amount, b: amount, c: z.string(), text: z.string(), count: z.number() });
    expect(await nodeAt(address()).ask(shape, 'getbalances', [])).toEqual({
      ...{ a: 2_099_999_997_690_001n, b: 1n, c: '1e-8', text: '1.5', count: 7 },
    });
    says('{"result":{"a":0.000000001},"error":null}');
    await expect(nodeAt(address()).ask(z.object({ a: amount }), 'getbalances', [])).rejects.toThrow(NodeFailure);
  });

  it('is away where it starts, refuses the password, answers nonsense or another block; what it refuses says why', async () => {
    const node = nodeAt(address());
    const ask = () => node.ask(z.string(), 'getbestblockhash', []);
    for (const [body, status] of [
      ['{"result":null,"error":{"code":-28,"message":"Loading block index"}}', 500],
      ...[['', 401] as const, ['Work queue depth exceeded', 503] as const, ['{"result":7,"error":null}', 200] as const],
    ] as const) {
      says(body, status);
      const failure = await ask().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(NodeFailure);
      const { message, cause } = failure as Error;
      expect(`${message} ${String((cause as Error | undefined)?.message)}`).not.toMatch(/p@ss|p%40ss|reader/);
    }
    says('{"result":null,"error":{"code":-5,"message":"Block not found"}}', 500);
    await expect(node.attempt(z.string(), 'getblockheader', [])).rejects.toEqual(new RpcRefusal(-5, 'Block not found'));
    says(`{"result":"${GENESIS}","error":null}`);
    await expect(node.block('11'.repeat(32))).rejects.toThrow('BTC has answered another block');
    expect((await node.block(GENESIS_HASH)).transactions).toHaveLength(1);
  });

  it('is asked little at once, however much there is to ask', async () => {
    says('{"result":1,"error":null}');
    const node = nodeAt(address());
    most = 0;
    await Promise.all(Array.from({ length: 60 }, () => node.ask(z.number(), 'getblockcount', [])));
    expect(most).toBeLessThanOrEqual(8);
  });
});
