/** The signer as a process of its own, with the keys of its hot wallets in a token. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  DEVELOPMENT_POLICY,
  developmentIntent,
  expectPaidOnceBack,
  makeSigner,
  type SignerOfTests,
  signerCommand,
} from '../../test/signer-process.ts';
import { findTokenProgram, makeToken, type TokenOfTests, withoutToken } from '../../test/token-program.ts';
import { SignerAway } from './service.ts';

const isMissing = (await findTokenProgram()) === undefined;

let folder: string;
let token: TokenOfTests;
let signer: SignerOfTests;

beforeEach(async ({ skip }) => {
  skip(isMissing, withoutToken());
  folder = mkdtempSync(join(tmpdir(), 'cambist-token-process-'));
  token = await makeToken(folder);
  signer = await makeSigner(DEVELOPMENT_POLICY, token.environment);
});
afterEach(async () => {
  await signer?.kill('SIGKILL');
  signer?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it('pays for a server by a key that never leaves the token, and goes on once the token is back', async () => {
  await signer.start();
  expect(signer.shown).toContain(await signer.link().hotAddress('ERC20'));
  await expectPaidOnceBack(
    signer,
    () => token.takeAway(),
    async () => {
      expect(await signer.link().signed('book:1')).toEqual([]);
      token.bringBack();
    },
  );
});

it('answers the same bytes for ever after a kill -9 between any two of its steps', async () => {
  await signer.start();
  const answers = new Map<number, unknown>();
  // Each kill is a moment later in what a signature takes.
  for (let number = 1; number <= 6; number += 1) {
    const calls = readFileSync(token.asked, 'utf8').length;
    const asked = signer
      .link()
      .sign(developmentIntent(number))
      .catch((error: unknown) => expect(error).toBeInstanceOf(SignerAway));
    if (number % 2 === 0) while (readFileSync(token.asked, 'utf8').length === calls) await new Promise(setImmediate);
    await signer.kill('SIGKILL');
    await asked;
    await signer.start();
    answers.set(number, await signer.link().sign(developmentIntent(number)));
  }
  for (const [number, answer] of answers) {
    expect(answer).toMatchObject({ ok: true });
    expect(await signer.link().sign(developmentIntent(number))).toEqual(answer);
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
