/** The signer in a process of its own, set up by its own commands, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createLogger } from '../src/platform/logger.ts';
import { connectSigner } from '../src/signer/client.ts';
import type { Intent } from '../src/signer/intent.ts';
import { startTestApp } from './app.ts';
import { until } from './until.ts';

const ENTRY = join(import.meta.dirname, '../src/signer.ts');

export interface Ended {
  readonly code: number;
  /** What it has written to either output. */
  readonly text: string;
}

/** Of nobody here. */
export const STRANGER = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

/** Ether and USDT on a development chain, as a policy file has it. */
export const DEVELOPMENT_POLICY = {
  networks: {
    ERC20: {
      ...{ format: 'development', fee_cap: '10000000000000000', most_fees_per_day: '1000000000000000000000000' },
      coins: [null, '0xdAC17F958D2ee523a2206206994597C13D831ec7'].map((contract) => ({
        ...{ contract, most_per_payment: '1000000000000000000', most_per_day: '10000000000000000000' },
      })),
    },
  },
};

/** A payment by that chain. */
export const developmentIntent = (number: number, units = 5n): Intent => ({
  ...{ id: `book:${number}`, attempt: 1, source: null },
  payment: { network: 'ERC20', contract: null, address: STRANGER, units },
  terms: { format: 'development', nonce: number, fee: 420_000_000_000_000n },
});

/** Runs a command of the signer to its end. */
export async function signerCommand(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = '',
): Promise<Ended> {
  const child = spawn(process.execPath, [ENTRY, ...parameters], { env: { ...process.env, ...environment } });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.on('data', (chunk) => (text += chunk));
  child.stdin.end(input);
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? -1)));
  return { code, text };
}

/**
 * A folder with a seed and keys of its own, and what a server is told to reach it.
 * @param further settings, such as those of a token; the keys are made in it
 */
export async function makeSigner(policy: object, further: NodeJS.ProcessEnv = {}) {
  const root = mkdtempSync(join(tmpdir(), 'cambist-signer-process-'));
  const settings = {
    ...further,
    SIGNER_DIR: join(root, 'signer'),
    SIGNER_PASSPHRASE_FILE: join(root, 'passphrase'),
    SIGNER_LISTEN: join(root, 'socket'),
  };
  const keyFile = join(root, 'server/server-key.pem');
  const signerKeyFile = join(root, 'server/signer-key.pub.pem');
  let running: ChildProcess | undefined;

  writeFileSync(settings.SIGNER_PASSPHRASE_FILE, 'correct horse battery\n');
  const made = await signerCommand(['init'], settings);
  const keys = await signerCommand(['server-keys', join(root, 'server')], settings);
  const inToken = further.SIGNER_PKCS11_MODULE ? await signerCommand(['token-keys'], settings) : { code: 0, text: '' };
  for (const { code, text } of [made, keys, inToken]) if (code !== 0) throw new Error(text);
  copyFileSync(join(root, 'server/server-key.pub.pem'), join(settings.SIGNER_DIR, 'server-key.pub.pem'));
  copyFileSync(join(settings.SIGNER_DIR, 'signer-key.pub.pem'), signerKeyFile);
  writeFileSync(join(settings.SIGNER_DIR, 'policy.json'), JSON.stringify(policy));

  return {
    root,
    settings,
    keyFile,
    signerKeyFile,
    /** As a server asks it. @param by the key of the server */
    link: (by = keyFile) =>
      connectSigner({
        ...{ at: settings.SIGNER_LISTEN, signerKeyFile, keyFile: by, clock: Date, logger: createLogger('silent') },
      }),
    /** What `init` has shown. */
    shown: `${made.text}${inToken.text}`,
    /** For the server. */
    environment: {
      SIGNER_CONNECT: settings.SIGNER_LISTEN,
      SIGNER_SERVER_KEY_FILE: keyFile,
      SIGNER_PUBLIC_KEY_FILE: signerKeyFile,
    },

    /** Does nothing while it runs. */
    async start(): Promise<void> {
      if (running !== undefined && running.exitCode === null && running.signalCode === null) return;
      const child = spawn(process.execPath, [ENTRY], {
        env: { ...process.env, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running = child;
      let said = '';
      child.stdout.on('data', (chunk) => (said += chunk));
      child.stderr.on('data', (chunk) => (said += chunk));
      await until(() => said.includes('The signer is ready') || child.exitCode !== null, 'the signer is ready');
      if (!said.includes('ready')) throw new Error(said);
    },

    async kill(signal: NodeJS.Signals): Promise<void> {
      const child = running;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },

    remove: (): void => rmSync(root, { recursive: true, force: true }),
  };
}

/** A payment that is planned while the signer cannot sign waits for it, and is paid once it can again. */
export async function expectPaidOnceBack(
  { environment }: SignerOfTests,
  away: () => unknown,
  back: () => unknown,
): Promise<void> {
  const server = await startTestApp('postgres', undefined, { ...environment });
  const database = await server.source.open();
  try {
    await server.app.deposits.sync();
    const of = { purpose: 'withdrawal', reference: 1 } as const;
    const payment = { ...of, network: 'ERC20', coin: 'USDT', address: STRANGER, units: 7_000_000n } as const;
    await away();
    await database.transaction([server.app.payouts.planning(payment, 2, server.now())]);
    await server.app.payouts.sync();
    const [waiting] = await database.query<{ state: string; waits_for: string }>(
      'SELECT state, waits_for FROM payouts',
    );
    expect(waiting).toEqual({ state: 'PLANNED', waits_for: 'SIGNER' });
    await back();
    await server.app.payouts.sync();
    server.app.developmentChains.get('ERC20')?.mine(2);
    await server.app.payouts.sync();
    expect((await server.app.payouts.byReferences('withdrawal', [1]))[0]).toMatchObject({ state: 'FINAL' });
  } finally {
    await database.close();
    await server.remove();
  }
}

export type SignerOfTests = Awaited<ReturnType<typeof makeSigner>>;
