/** Which key of secrets this database knows. */
import type { Database } from './database.ts';

export interface SecretsKeyStore {
  /** Keeps it where there is none yet. @returns what is kept */
  keep(fingerprint: string): Promise<string>;
  /** Whether there was one. */
  forget(): Promise<boolean>;
}

export function createSecretsKeyStore(database: Pick<Database, 'query'>): SecretsKeyStore {
  return {
    async keep(fingerprint) {
      const [row] = await database.query<{ fingerprint: string }>(
        `INSERT INTO secrets_key (fingerprint) VALUES ($1)
         ON CONFLICT (is_only) DO UPDATE SET fingerprint = secrets_key.fingerprint RETURNING fingerprint`,
        [fingerprint],
      );
      return row?.fingerprint ?? '';
    },
    forget: async () => (await database.query('DELETE FROM secrets_key RETURNING is_only')).length > 0,
  };
}
