/**
 * Keys of hot wallets in a PKCS #11 token, such as an HSM: they are made in it, never leave it, and sign there. It is reached by
 * OpenSC's `pkcs11-tool`, one call after another. The PIN goes by the environment of that process alone.
 */
import { execFile } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { HDKey } from '@scure/bip32';
import { type Family, publicKeyOf } from '../funds/chains/addresses.ts';
import { type SigningKey, signingKey } from './signing-key.ts';

export interface TokenSettings {
  /** `SIGNER_PKCS11_MODULE`: the library of the token's maker. */
  readonly module: string;
  /** `SIGNER_PKCS11_TOKEN`: the label of the token. */
  readonly token: string;
  /** `SIGNER_PKCS11_PIN_FILE`: its first line. */
  readonly pinFile: string;
  /** `SIGNER_PKCS11_TOOL`. */
  readonly tool: string;
  /** What the module may read its own settings from. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The token has not done what was wanted. The message says why, and holds no secret. */
export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
}

const PATIENCE_MS = 8_000;
const MOST_BYTES = 1024 * 1024;
const PIN_VARIABLE = 'CAMBIST_TOKEN_PIN';
const FORMAT = '--signature-format=rs';

const labelOf = (family: Family) => `cambist hot ${family}`;
const idOf = (family: Family) => Buffer.from(`cambist-${family}`).toString('hex');

/** What is signed to see that a key is there. Nothing else hashes to it. */
const challengeOf = (family: Family, nonce: Uint8Array) =>
  createHash('sha256').update(`cambist key check ${family}\n`).update(nonce).digest();

/** As the list of objects describes it. */
const isGuarded = (listed: string) =>
  /^Private Key Object; EC/.test(listed) && /^\s*Access:.*\bsensitive\b.*\bnever extractable\b/m.test(listed);

interface Outcome {
  readonly error: { readonly killed?: boolean; readonly code?: number | string | null } | null;
  readonly out: Buffer;
  readonly said: string;
}

function reasonOf({ error, said }: Outcome, { tool, module, token, pinFile }: TokenSettings): string {
  const [code] = /CKR_\w+/.exec(said) ?? [];
  if (error?.code === 'ENOENT') return `${tool} is not there: install OpenSC, or set SIGNER_PKCS11_TOOL`;
  if (error?.killed) return `The token ${token} has not answered within ${PATIENCE_MS / 1000} seconds`;
  if (code === 'CKR_PIN_INCORRECT')
    return `The token ${token} has refused the PIN of ${pinFile}. It is not asked again before that file is written anew: a token locks itself after a few wrong ones`;
  if (code === 'CKR_PIN_LOCKED') return `The PIN of the token ${token} is locked: its security officer sets a new one`;
  if (/No slot with token named|No slot with a token/.test(said)) return `There is no token ${token} by ${module}`;
  if (/Failed to load pkcs11 module/.test(said)) return `${module} is no PKCS #11 library that can be loaded`;
  if (/Private key not found/.test(said)) return `The token ${token} has not this key`;
  return `The token ${token} has failed${code === undefined ? '' : `: ${code}`}`;
}

export class Token {
  readonly #settings: TokenSettings;
  /** Says of which PIN file the token has refused the PIN. */
  readonly #refusedFile: string;
  /** One call at a time: of a wrong PIN the token hears once. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: TokenSettings, refusedFile: string) {
    this.#settings = settings;
    this.#refusedFile = refusedFile;
  }

  get name(): string {
    return this.#settings.token;
  }

  /** Undefined where the token has none. */
  async publicKey(family: Family): Promise<HDKey | undefined> {
    if ((await this.#objects(family, 'Public Key')).length === 0) return undefined;
    const der = await this.#call(['--login', '--read-object', '--type=pubkey', `--id=${idOf(family)}`]);
    const {
      x = '',
      y = '',
      crv,
    } = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' });
    if (crv !== 'secp256k1') throw new TokenFailure(`The key ${labelOf(family)} is not of the curve secp256k1`);
    return publicKeyOf(Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]));
  }

  /** Whether the token has anything under the name of a key. */
  async has(family: Family): Promise<boolean> {
    return (await this.#objects(family, '')).length > 0;
  }

  /** Makes a key in the token that cannot be taken out of it. */
  async make(family: Family): Promise<void> {
    await this.#call([
      ...['--login', '--keypairgen', '--key-type=EC:secp256k1', '--usage-sign', '--sensitive', '--private'],
      ...[`--id=${idOf(family)}`, `--label=${labelOf(family)}`],
    ]);
  }

  key(family: Family, publicKey: HDKey): SigningKey {
    return signingKey(publicKey, (digest) => this.#sign(family, digest));
  }

  /** @throws unless the token has the private key of a public one, and never lets it out */
  async check(family: Family, publicKey: HDKey, nonce: Uint8Array): Promise<void> {
    const [listed = '', ...others] = await this.#objects(family, 'Private Key');
    if (!isGuarded(listed) || others.length > 0)
      throw new TokenFailure(
        `The token ${this.name} does not say of the key ${labelOf(family)} that it is one, sensitive, and was never extractable`,
      );
    await this.key(family, publicKey).sign(challengeOf(family, nonce));
  }

  #sign(family: Family, digest: Uint8Array): Promise<Buffer> {
    return this.#call(['--login', '--sign', '--mechanism=ECDSA', FORMAT, `--id=${idOf(family)}`], digest);
  }

  /** What the token has under the id of a key, each as the tool describes it. @param kind with which that begins */
  async #objects(family: Family, kind: string): Promise<readonly string[]> {
    const listed = (await this.#call(['--login', '--list-objects'])).toString('latin1');
    const isOf = new RegExp(`^\\s+ID:\\s+${idOf(family)}\\s*$`, 'm');
    return listed.split(/^(?=\S)/m).filter((one) => one.startsWith(kind) && isOf.test(one));
  }

  #call(verbs: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const calling = this.#last.then(() => this.#run(verbs, input));
    this.#last = calling.catch(() => undefined);
    return calling;
  }

  async #run(verbs: readonly string[], input: Uint8Array = Buffer.of()): Promise<Buffer> {
    const { module, token, tool, environment } = this.#settings;
    const { pin, written } = this.#pin();
    const outcome = await new Promise<Outcome>((resolve) => {
      const child = execFile(
        tool,
        [`--module=${module}`, `--token-label=${token}`, `--pin=env:${PIN_VARIABLE}`, ...verbs],
        {
          ...{ encoding: 'buffer', timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES },
          env: { ...environment, [PIN_VARIABLE]: pin },
        },
        (error, out, said) => resolve({ error, out, said: said.toString('latin1') }),
      );
      // It may have ended before it has read this; its end says why.
      child.stdin?.once('error', () => undefined);
      child.stdin?.end(input);
    });
    if (outcome.error === null) return outcome.out;
    if (outcome.said.includes('CKR_PIN_INCORRECT')) writeFileSync(this.#refusedFile, written);
    throw new TokenFailure(reasonOf(outcome, this.#settings));
  }

  /** @throws where the token has refused it already */
  #pin(): { readonly pin: string; readonly written: string } {
    const { pinFile, token } = this.#settings;
    const { mtimeNs, ino } = statSync(pinFile, { bigint: true });
    const written = `${mtimeNs} ${ino}`;
    if (existsSync(this.#refusedFile) && readFileSync(this.#refusedFile, 'utf8') === written)
      throw new TokenFailure(
        `The token ${token} has refused the PIN of ${pinFile} before. Write that file anew, and it is asked again: a token locks itself after a few wrong ones`,
      );
    const [pin = ''] = readFileSync(pinFile, 'utf8').split(/\r?\n/);
    if (pin === '') throw new TokenFailure(`${pinFile} has no PIN in its first line`);
    return { pin, written };
  }
}
