/** The signer as a process of its own, with the keys of its hot wallets in a token. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import { makeSigner, type SignerOfTests, signerCommand } from '../../test/signer-process.ts';
import { findTokenProgram, makeToken, type TokenOfTests, withoutToken } from '../../test/token-program.ts';
import { createLogger } from '../platform/logger.ts';
import { connectSigner } from './client.ts';
import type { Intent } from './intent.ts';
import { SignerAway } from './service.ts';

const isMissing = (await findTokenProgram()) === undefined;
const STRANGER = '0x00000000000000000000000000000000000000aa';

let folder: string;
let token: TokenOfTests;
let signer: SignerOfTests;

const link = () =>
  connectSigner({
    ...{ at: signer.settings.SIGNER_LISTEN, signerKeyFile: signer.signerKeyFile, keyFile: signer.keyFile },
    ...{ clock: Date, logger: createLogger('silent') },
  });
const intent = (number: number): Intent => ({
  ...{ id: `book:${number}`, attempt: 1, source: null },
  payment: { network: 'ERC20', contract: null, address: STRANGER, units: 5n },
  terms: { format: 'development', nonce: number, fee: 420_000_000_000_000n },
});

beforeEach(async ({ skip }) => {
  skip(isMissing, withoutToken());
  folder = mkdtempSync(join(tmpdir(), 'cambist-token-process-'));
  token = await makeToken(folder);
  const coins = [null, '0xdAC17F958D2ee523a2206206994597C13D831ec7'].map((contract) => ({
    ...{ contract, most_per_payment: '1000000000000000000', most_per_day: '10000000000000000000' },
  }));
  const network = { format: 'development', fee_cap: '10000000000000000', coins };
  signer = await makeSigner({ networks: { ERC20: network } }, token.environment);
});
afterEach(async () => {
  await signer?.kill('SIGKILL');
  signer?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it('pays for a server by a key that never leaves the token, and goes on once the token is back', async () => {
  await signer.start();
  const address = await link().hotAddress('ERC20');
  expect(signer.shown).toContain(address);
  const server = await startTestApp('postgres', undefined, { ...signer.environment });
  const database = await server.source.open();
  try {
    await server.app.deposits.sync();
    const of = { purpose: 'withdrawal', reference: 1 } as const;
    const payment = { ...of, network: 'ERC20', coin: 'USDT', address: STRANGER, units: 7_000_000n } as const;
    token.takeAway();
    await database.transaction([server.app.payouts.planning(payment, 2, server.now())]);
    await server.app.payouts.sync();
    const [waiting] = await database.query<{ state: string; waits_for: string }>(
      'SELECT state, waits_for FROM payouts',
    );
    expect(waiting).toEqual({ state: 'PLANNED', waits_for: 'SIGNER' });
    expect(await link().signed('book:1')).toEqual([]);
    token.bringBack();
    await server.app.payouts.sync();
    server.app.developmentChains.get('ERC20')?.mine(2);
    await server.app.payouts.sync();
    expect((await server.app.payouts.byReferences('withdrawal', [1]))[0]).toMatchObject({ state: 'FINAL' });
  } finally {
    await database.close();
    await server.remove();
  }
});

it('answers the same bytes for ever after a kill -9 between any two of its steps', async () => {
  await signer.start();
  const answers = new Map<number, unknown>();
  // Each kill is a moment later in what a signature takes.
  for (let number = 1; number <= 6; number += 1) {
    const calls = readFileSync(token.asked, 'utf8').length;
    const asked = link()
      .sign(intent(number))
      .catch((error: unknown) => expect(error).toBeInstanceOf(SignerAway));
    if (number % 2 === 0) while (readFileSync(token.asked, 'utf8').length === calls) await new Promise(setImmediate);
    await signer.kill('SIGKILL');
    await asked;
    await signer.start();
    answers.set(number, await link().sign(intent(number)));
  }
  for (const [number, answer] of answers) {
    expect(answer).toMatchObject({ ok: true });
    expect(await link().sign(intent(number))).toEqual(answer);
  }
}, 120_000);

it('does not start without its token or with a wrong PIN, and says so in words', async () => {
  token.writePin('of another token');
  const refused = await signerCommand([], signer.settings);
  expect(refused).toEqual({ code: 1, text: expect.stringContaining('has refused the PIN') });
  expect(refused.text).not.toContain('of another token');
  // What starts it again and again does not lock the token.
  for (let again = 0; again < 3; again += 1) expect((await signerCommand([], signer.settings)).code).toBe(1);
  token.writePin();
  token.takeAway();
  expect(await signerCommand([], signer.settings)).toEqual({
    ...{ code: 1, text: expect.stringContaining('There is no token cambist') },
  });
  token.bringBack();
  await signer.start();
});
