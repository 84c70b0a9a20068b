/** A PKCS #11 token for tests, without installing anything: SoftHSM, and OpenSC's tool to talk to it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loaderIn, obtainPackages, whyFailed } from './debian-packages.ts';

interface TokenProgram {
  readonly loader: string;
  readonly prefix: readonly string[];
  readonly tool: string;
  readonly util: string;
  readonly module: string;
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/token');
const NAME = 'softhsm';
const PIN = 'a pin of tests 7913';

function programIn(root: string): TokenProgram | undefined {
  const found = loaderIn(root);
  const [tool, util, module] = ['bin/pkcs11-tool', 'bin/softhsm2-util', 'lib/softhsm/libsofthsm2.so'].map((path) =>
    join(root, 'usr', path),
  ) as [string, string, string];
  const isWhole = [tool, util, module].every((path) => existsSync(path));
  return found && isWhole ? { ...found, tool, util, module } : undefined;
}

/** Undefined where it cannot be had, or is not wanted. */
export async function findTokenProgram(): Promise<TokenProgram | undefined> {
  if (process.env.TOKEN_TEST === 'none') return undefined;
  return obtainPackages({ cache, name: NAME, packages: ['softhsm2', 'opensc'], suite: 'bookworm' }, programIn);
}

/** Why tests are skipped without it. */
export const withoutToken = (): string =>
  `no PKCS #11 token can be had from Debian's packages: ${whyFailed(cache, [NAME]) || 'none is wanted'}`;

/** A token with a PIN, without keys. @param folder of its own, that its caller removes */
export async function makeToken(folder: string) {
  const program = await findTokenProgram();
  if (program === undefined) throw new Error(withoutToken());
  const { loader, prefix, tool, util, module } = program;
  const at = (name: string) => join(folder, name);
  for (const name of ['', 'store']) mkdirSync(at(name), { recursive: true });
  writeFileSync(
    at('softhsm2.conf'),
    `directories.tokendir = ${at('store')}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  const environment = { ...process.env, SOFTHSM2_CONF: at('softhsm2.conf') };
  const script = ['#!/bin/sh', `echo "$@" >> ${at('asked')}`, `exec ${loader} ${prefix.join(' ')} ${tool} "$@"`];
  writeFileSync(at('pkcs11-tool'), `${script.join('\n')}\n`, { mode: 0o700 });
  let writes = 0;

  const token = {
    settings: { module, token: 'cambist', pinFile: at('pin'), tool: at('pkcs11-tool'), environment },
    /** For a process of its own. */
    environment: {
      SIGNER_PKCS11_MODULE: module,
      SIGNER_PKCS11_TOKEN: 'cambist',
      SIGNER_PKCS11_PIN_FILE: at('pin'),
      SIGNER_PKCS11_TOOL: at('pkcs11-tool'),
      SOFTHSM2_CONF: at('softhsm2.conf'),
    },
    pin: PIN,
    /** Arguments of each call, a line for one. */
    asked: at('asked'),
    writePin(pin = PIN): void {
      writeFileSync(at('pin'), `${pin}\n`, { mode: 0o600 });
      // Two in one tick of the clock are still two.
      writes += 1;
      utimesSync(at('pin'), 1_700_000_000, 1_700_000_000 + writes);
    },
    /** As a cable that was pulled out. */
    takeAway(): void {
      renameSync(at('store'), at('elsewhere'));
      mkdirSync(at('store'));
    },
    bringBack(): void {
      rmSync(at('store'), { recursive: true });
      renameSync(at('elsewhere'), at('store'));
    },
    /** Runs the tool as its operator would. */
    run: (...parameters: readonly string[]): string =>
      execFileSync(
        loader,
        [...prefix, tool, '--module', module, '--token-label', 'cambist', '--login', '--pin', PIN, ...parameters],
        { encoding: 'utf8', stdio: 'pipe', env: environment },
      ),
    /** Has it answer nothing any more. */
    hang: (): void => writeFileSync(at('pkcs11-tool'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 }),
    /** One more token under the same module. */
    add: (label: string): void => {
      const pins = ['--pin', PIN, '--so-pin', `${PIN} so`];
      const parameters = ['--init-token', '--free', '--label', label, '--module', module, ...pins];
      execFileSync(loader, [...prefix, util, ...parameters], { stdio: 'pipe', env: environment });
    },
  };
  token.add('cambist');
  token.writePin();
  return token;
}

export type TokenOfTests = Awaited<ReturnType<typeof makeToken>>;
