/** Sign-in with a wallet that is a contract (EIP-1271), which a node is asked about. */
import { concat, getContractAddress, type Hex, pad, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { serializeErc6492Signature } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
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
  server = await startTestApp(anyKind, undefined, { ETH_RPC_URL: node.url });
});
afterAll(async () => {
  await server?.remove();
  await node?.stop();
});

interface Entry {
  readonly address?: Hex;
  /** What the wallet makes of its owner's signature. */
  readonly wrapped?: (signature: Hex) => Hex;
}

async function enter(
  at: TestApp,
  signer: typeof owner,
  { address = wallet, wrapped = (signature) => signature }: Entry = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { host: 'localhost:8080' };
  const ask = { method: 'POST', headers, url: '/api/v3/web3-login/nonce', payload: { address } } as const;
  const message = String((await at.call(ask)).body.message);
  const payload = { username: address, message, signature: wrapped(await signer.signMessage({ message })) };
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

it('comes in before its contract is on the chain, by what would put it there (EIP-6492)', async () => {
  // Puts code at an address that follows from the code; on most chains, and on every node for development.
  const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const bytecode = deployment(walletCode(owner.address));
  const salt = pad('0x1');
  const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode });
  const wrapped = (signature: Hex) =>
    serializeErc6492Signature({ address: factory, data: concat([salt, bytecode]), signature });
  expect((await enter(server, other, { address, wrapped })).status).toBe(401);
  expect((await enter(server, owner, { address })).status).toBe(401);
  expect((await enter(server, owner, { address, wrapped })).status).toBe(200);
});

it('is never the address that nobody has the key of', async () => {
  // What recovers no key recovers this address.
  const wrapped = (): Hex => `0x${'00'.repeat(64)}1b`;
  expect((await enter(server, owner, { address: zeroAddress, wrapped })).status).toBe(401);
});

it('stays out where no node is set, and while the node is away', async () => {
  const alone = await startTestApp(anyKind);
  expect((await enter(alone, owner)).status).toBe(401);
  await alone.remove();
  await node.stop();
  expect((await enter(server, owner)).status).toBe(401);
});
