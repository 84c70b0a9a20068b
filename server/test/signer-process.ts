/** The signer in a process of its own, set up by its own commands, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const ENTRY = join(import.meta.dirname, '../src/signer.ts');

export interface Ended {
  readonly code: number;
  /** What it has written to either output. */
  readonly text: string;
}

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
    /** What `init` has shown. */
    shown: `${made.text}${inToken.text}`,
    /** For the server. */
    environment: {
      SIGNER_CONNECT: settings.SIGNER_LISTEN,
      SIGNER_SERVER_KEY_FILE: keyFile,
      SIGNER_PUBLIC_KEY_FILE: signerKeyFile,
    },

    async start(): Promise<void> {
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

export type SignerOfTests = Awaited<ReturnType<typeof makeSigner>>;
