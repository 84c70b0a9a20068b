/** The server in the test's own process, listening: a start costs a tenth of the CPU time of a process of its own. */
import { readConfig } from '../src/config.ts';
import { openExchange } from '../src/exchange-process.ts';
import { createLogger } from '../src/platform/logger.ts';
import type { PasswordCost } from '../src/platform/slice.ts';
import type { TestDatabase } from './databases.ts';

/** The least that argon2id allows: nobody guesses the passwords of tests. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * Starts a server with its demo accounts.
 * @param settings of its environment; without any there is no market
 * @returns how to stop it; the database's files stay
 */
export async function startServerInProcess(
  source: TestDatabase,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const config = readConfig({
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    MARKET: 'none',
    RATE_LIMIT_PER_MINUTE: '0',
    ...source.environment,
    ...settings,
    PORT: String(port),
  });
  const exchange = await openExchange({
    config,
    database: await source.open(),
    logger: createLogger('silent'),
    clock: Date,
    passwordCost: CHEAP_PASSWORDS,
    onFatal(error) {
      throw error;
    },
  });
  await exchange.listen();
  return exchange.close;
}
