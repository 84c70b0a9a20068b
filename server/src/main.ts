/** The process: settings, database, listen, signals, an orderly end. */
import { enableCompileCache } from 'node:module';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createOperators } from './identity/operators/service.ts';
import { createAudit, createAuditStore } from './operator/audit/service.ts';
import { ensureDemoAccounts, printDemoAccounts } from './operator/development/demo.ts';
import { demoAccounts } from './operator/development/service.ts';
import { type Capacity, capacityFor, openFileLimit, SMALLEST_FILE_LIMIT } from './platform/capacity.ts';
import type { Database } from './platform/database.ts';
import { DirectoryHeld } from './platform/directory-lock.ts';
import { createLogger } from './platform/logger.ts';
import { migrate } from './platform/migrations.ts';
import { openPglite } from './platform/pglite.ts';
import { openPostgres } from './platform/postgres.ts';

// Before any file is made: the data folder is its owner's alone.
process.umask(0o077);
enableCompileCache();

const CLOSE_PATIENCE_MS = 10_000;
const LOCK_PATIENCE_MS = 30_000;

async function openDatabase(config: Config, onWriterLost: (error: Error) => void) {
  const url = config.DATABASE_URL;
  if (url === undefined) return openPglite(config.DATA_DIR);
  const settings = { url, connections: config.DATABASE_CONNECTIONS, connectTimeoutSeconds: 10 };
  const database = openPostgres({ ...settings, onWriterLost });
  if (await database.becomeWriter(LOCK_PATIENCE_MS)) return database;
  throw new ConfigError('Another Cambist holds this database. Stop it first.');
}

/** Before the database is opened: one that runs out of files ends in the middle of its work. */
function readCapacity(): Capacity {
  const limit = openFileLimit();
  const capacity = capacityFor(limit);
  if (capacity !== undefined) return capacity;
  throw new ConfigError(
    `The system lets this process open ${limit} files; it needs at least ${SMALLEST_FILE_LIMIT}, and more for every ` +
      'connection. Raise the limit (`ulimit -n`, or LimitNOFILE of its service).',
  );
}

/** A folder or database that was once started in development keeps its demo accounts with published passwords. */
async function refuseDemoAccounts(database: Database): Promise<void> {
  await migrate(database);
  const audit = createAudit({ store: createAuditStore(database), clock: Date });
  const open = await createOperators({ database, audit, clock: Date }).openWithKnownPasswords(demoAccounts);
  if (open.length === 0) return;
  await database.close();
  throw new ConfigError(
    [
      `demo-accounts: ${open.join(' and ')} still open with a published password. Remove them, and make an operator:`,
      '  npm run operator -- remove-demo',
      '  npm run operator -- add <email>',
      'or keep the demo operator under new keys (npm run operator -- rekey operator@cambist.test),',
      'or allow demo-accounts by name in ALLOW_DEVELOPMENT_PARTS.',
    ].join('\n'),
  );
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const capacity = readCapacity();
  const logger = createLogger(config.LOG_LEVEL);
  const end = (code: number) => {
    process.exitCode = code;
    logger.flush();
    process.exit();
  };
  const onFatal = (error: Error) => {
    logger.fatal(
      { err: error },
      'The exchange stops rather than guess; start it again and it goes on from what is committed',
    );
    setTimeout(() => end(1), 50);
  };
  const database = await openDatabase(config, onFatal);
  if (!config.allowsDemoAccounts) await refuseDemoAccounts(database);
  const app = await createApp({ config, database, logger, clock: Date, capacity, onFatal });

  let closing = false;
  const close = async (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'Closing');
    setTimeout(() => end(1), CLOSE_PATIENCE_MS).unref();
    await app.close();
    end(0);
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', (reason) => onFatal(reason instanceof Error ? reason : new Error(String(reason))));

  // Before anybody can ask: who is told that the exchange is ready can sign in.
  if (!config.isProduction) await ensureDemoAccounts(app);
  const address = await app.http.listen({ host: config.HOST, port: config.PORT });
  logger.info({ address, startedInMs: Math.round(performance.now()), database: database.kind }, 'Cambist is ready');
  if (!config.isProduction) printDemoAccounts(address);
}

try {
  await run();
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DirectoryHeld;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
