/** `npm run signer`: the process that holds the keys. It has a folder, a policy and a socket of its own, and no database. */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BITCOIN_NETWORKS } from './funds/chains/bitcoin-addresses.ts';
import { createLogger } from './platform/logger.ts';
import { createSteadyClock } from './platform/steady-clock.ts';
import { coldSign } from './signer/cold.ts';
import { initialize, initializeToken, makeKeys, openSigner, SIGNED, type SignerSettings } from './signer/folder.ts';
import { listSigned } from './signer/signed-file.ts';
import type { TokenSettings } from './signer/token.ts';

// Before any file is made: the folder and the socket are their owner's alone.
process.umask(0o077);

const USAGE = `npm run signer                        answers the server, with the settings SIGNER_DIR, SIGNER_PASSPHRASE_FILE and SIGNER_LISTEN
npm run signer -- init                makes a seed and keys, and shows what the server needs
npm run signer -- restore             the same with the seed as it was written down, from the standard input
npm run signer -- token-keys          makes the hot wallets' keys in a PKCS #11 token, with SIGNER_PKCS11_MODULE, SIGNER_PKCS11_TOKEN and SIGNER_PKCS11_PIN_FILE
npm run signer -- token-keys keep     the same, with those that the token has already
npm run signer -- cold-sign <file>    on the cold machine: signs a refill of the hot wallet, or what the cold wallet holds, and writes it beside the file
npm run signer -- signed <day>        lists what it has paid from a day on (2026-11-27): after a restore of the server's database to an earlier moment
npm run signer -- server-keys <dir>   makes the keys by which the server signs what it asks`;

class SettingMissing extends Error {}

function readTokenSettings(environment: NodeJS.ProcessEnv): TokenSettings | undefined {
  const { SIGNER_PKCS11_MODULE: module, SIGNER_PKCS11_TOKEN: token, SIGNER_PKCS11_PIN_FILE: pinFile } = environment;
  if (!module && !token && !pinFile) return undefined;
  if (!module || !token || !pinFile)
    throw new SettingMissing('Set SIGNER_PKCS11_MODULE, SIGNER_PKCS11_TOKEN and SIGNER_PKCS11_PIN_FILE together.');
  return { module, token, pinFile, tool: environment.SIGNER_PKCS11_TOOL || 'pkcs11-tool', environment };
}

function readSettings(environment: NodeJS.ProcessEnv): SignerSettings {
  const need = (name: string): string => {
    const value = environment[name];
    if (value === undefined || value === '') throw new SettingMissing(`Set ${name}.\n\n${USAGE}`);
    return value;
  };
  const folder = need('SIGNER_DIR');
  const network = environment.BTC_NETWORK || 'mainnet';
  const bitcoin = BITCOIN_NETWORKS.find((name) => name === network);
  if (bitcoin === undefined) throw new SettingMissing(`BTC_NETWORK is one of ${BITCOIN_NETWORKS.join(', ')}.`);
  return {
    folder,
    passphraseFile: need('SIGNER_PASSPHRASE_FILE'),
    listen: environment.SIGNER_LISTEN || join(folder, 'socket'),
    bitcoin,
    token: readTokenSettings(environment),
  };
}

async function run([verb, path]: readonly string[]): Promise<void> {
  if (verb === 'server-keys' && path !== undefined) return makeKeys(path, 'server-key.pem', 'server-key.pub.pem');
  if (verb === 'signed' && path !== undefined && /^\d{4}-\d\d-\d\d$/.test(path)) {
    process.stdout.write(`${listSigned(join(readSettings(process.env).folder, SIGNED), path)}\n`);
    return;
  }
  if (verb === 'cold-sign' && path !== undefined) {
    process.stdout.write(`${await coldSign(readSettings(process.env), path)}\n`);
    return;
  }
  if (verb === 'token-keys' && (path === undefined || path === 'keep')) {
    process.stdout.write(`${await initializeToken(readSettings(process.env), path === 'keep')}\n`);
    return;
  }
  if (verb !== undefined && verb !== 'init' && verb !== 'restore') throw new SettingMissing(USAGE);
  const settings = readSettings(process.env);
  if (verb !== undefined) {
    const written = verb === 'restore' ? await text(process.stdin) : undefined;
    process.stdout.write(`${initialize(settings, written)}\n`);
    return;
  }
  const logger = createLogger('info');
  const end = await openSigner(settings, { clock: createSteadyClock(), logger });
  logger.info({ listen: settings.listen }, 'The signer is ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void end().then(() => process.exit(0)));
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
