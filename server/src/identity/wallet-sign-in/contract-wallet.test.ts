/** Sign-in with a wallet that is a contract (EIP-1271), which a node is asked about. */
import { concat, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { deployment, type EvmNode, startEvmNode } from '../../../test/evm-node.ts';

const owner = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'44'.repeat(32)}`);

let node: EvmNode;
let server: TestApp;
let wallet: Hex;

/**
 * The smallest wallet: `isValidSignature(bytes32 hash, bytes signature)` answers 0x1626ba7e when `ecrecover` finds the
 * owner's key in the 65 bytes of the signature, and 0 otherwise.
 */
function walletCode(address: Hex): Hex {
  return concat([
    '0x600435600052', // memory 0x00: hash
    '0x60a43560f81c602052', // memory 0x20: v, the last byte of the signature
    '0x606435604052', // memory 0x40: r
    '0x608435606052', // memory 0x60: s
    '0x602060806080600060015afa50', // ecrecover into memory 0x80
    concat(['0x60805173', address, '0x14']), // is it the owner?
    '0x631626ba7e60e01b02', // times the magic value
    '0x60005260206000f3', // return
  ]);
}

beforeAll(async () => {
  node = await startEvmNode();
  wallet = await node.deploy(deployment(walletCode(owner.address)));
  server = await startTestApp('pglite', undefined, { ETH_RPC_URL: node.url });
});
afterAll(async () => {
  await server?.remove();
  await node?.stop();
});

async function enter(at: TestApp, signer: typeof owner): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { host: 'localhost:8080' };
  const ask = { method: 'POST', headers, url: '/api/v3/web3-login/nonce', payload: { address: wallet } } as const;
  const message = String((await at.call(ask)).body.message);
  const payload = { username: wallet, message, signature: await signer.signMessage({ message }) };
  return at.call({ method: 'POST', headers, url: '/api/v3/web3-login', payload });
}

it('comes in when the contract says that the signature is good, and to the same account again', async () => {
  const first = await enter(server, owner);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ user: { provider: 'wallet' }, client: { status: 'ACTIVE' } });
  expect((await enter(server, owner)).body).toMatchObject({ client: { id: (first.body.client as { id: number }).id } });
});

it('stays out when the contract does not know the signature', async () => {
  expect((await enter(server, other)).status).toBe(401);
});

it('stays out where no node is set, and while the node is away', async () => {
  const alone = await startTestApp('pglite');
  expect((await enter(alone, owner)).status).toBe(401);
  await alone.remove();
  await node.stop();
  expect((await enter(server, owner)).status).toBe(401);
});
