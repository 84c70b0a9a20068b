/** The machine of a cold wallet: its operator runs the signer's own commands there, without a network. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signer = join(import.meta.dirname, '../../server/src/signer.ts');

export function makeColdMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-cold-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('passphrase'), 'of the cold machine\n');
  const env = { ...process.env, SIGNER_DIR: at('cold'), SIGNER_PASSPHRASE_FILE: at('passphrase') };
  const run = (...verbs: readonly string[]): string =>
    spawnSync(process.execPath, [signer, ...verbs], { env, encoding: 'utf8' }).stdout;
  const address = /Wallet of ERC20: (0x\w{40})/.exec(run('init'))?.[1] ?? '';
  return {
    address,
    /** A file beside the machine, such as on a stick. */
    at,
    allow: (networks: object): void => writeFileSync(at('cold/policy.json'), JSON.stringify({ networks })),
    /** @param path of what is asked; what is signed lies beside it @returns what it says */
    sign: (path: string): string => run('cold-sign', path),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}
