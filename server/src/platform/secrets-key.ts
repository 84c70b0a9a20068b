/**
 * A database that was moved or restored without its key of secrets: authenticator apps of clients and operators would all
 * fail, one sign-in after the other, and nothing would say why.
 */
import type { Encryption } from './encryption.ts';
import type { SecretsKeyStore } from './secrets-key-store.ts';

export class SecretsKeyWrong extends Error {
  override readonly name = 'SecretsKeyWrong';
}

/** @throws SecretsKeyWrong where the secrets of the database were sealed with another key */
export async function checkSecretsKey(store: SecretsKeyStore, encryption: Pick<Encryption, 'hash'>): Promise<void> {
  const fingerprint = encryption.hash('', 'secrets-key');
  if ((await store.keep(fingerprint)) === fingerprint) return;
  throw new SecretsKeyWrong(
    [
      'The secrets of this database were sealed with another key: authenticator apps could not be checked.',
      'Put back the file secrets.key of its DATA_DIR, or the SECRETS_KEY that it had.',
      'Is that key lost for good, take the present one instead: npm run operator -- accept-key',
    ].join('\n'),
  );
}
