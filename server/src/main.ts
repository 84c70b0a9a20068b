/** The process: settings, database, signals, an orderly end. The exchange's own modules come while the database opens. */
import { accessSync, constants, existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Capacity, capacityFor, openFileLimit, SMALLEST_FILE_LIMIT } from './platform/capacity.ts';
import { DatabaseUnavailable } from './platform/database.ts';
import { DirectoryHeld } from './platform/directory-lock.ts';
import { allowInlining } from './platform/inlining.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { DatabaseNewer } from './platform/migrations.ts';
import { NoRoom, openPglite } from './platform/pglite.ts';
import { openPostgres } from './platform/postgres.ts';
import { makePrivateFolder } from './platform/private-files.ts';
import { SecretsKeyWrong } from './platform/secrets-key.ts';
import { ClockBehindJournal, createSteadyClock } from './platform/steady-clock.ts';

// Before any file is made: the data folder is its owner's alone.
process.umask(0o077);
enableCompileCache();
allowInlining();

const CLOSE_PATIENCE_MS = 10_000;
/** For a database that is starting, and for another process that is ending. */
const WRITER_PATIENCE_MS = 30_000;

async function openDatabase(config: Config, logger: Logger, onWriterLost: (error: Error) => void) {
  const url = config.DATABASE_URL;
  if (url === undefined) return openPglite(config.DATA_DIR);
  const settings = { url, connections: config.DATABASE_CONNECTIONS, connectTimeoutSeconds: 10 };
  const database = openPostgres({ ...settings, onWriterLost });
  const onAway = (err: Error) => logger.warn({ err }, 'The database does not answer yet');
  const isWriter = await database.becomeWriter(WRITER_PATIENCE_MS, onAway).catch((error: Error) => {
    // A password, a name, a certificate.
    if (!(error instanceof DatabaseUnavailable))
      throw new ConfigError(`The database refuses the server (${error.message}). Correct DATABASE_URL.`);
    const why = error.message || (error.cause as { code?: string } | undefined)?.code;
    throw new ConfigError(`The database does not answer (${why}). Start it, or correct DATABASE_URL.`);
  });
  if (isWriter) return database;
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

/** Also beside a database elsewhere: the key of secrets and the snapshots are in it. */
function checkDataFolder(directory: string): void {
  try {
    makePrivateFolder(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`DATA_DIR: ${message}. Let this user write to it, or set it to another folder.`);
  }
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  checkDataFolder(config.DATA_DIR);
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
  const [database, { openExchange }] = await Promise.all([
    openDatabase(config, logger, onFatal),
    import('./exchange-process.ts'),
  ]);
  const exchange = await openExchange({ config, database, logger, clock: createSteadyClock(), capacity, onFatal });

  let closing = false;
  const close = async (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'Closing');
    setTimeout(() => end(1), CLOSE_PATIENCE_MS).unref();
    await exchange.close();
    end(0);
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', (reason) => onFatal(reason instanceof Error ? reason : new Error(String(reason))));

  const address = await exchange.listen();
  logger.info({ address, startedInMs: Math.round(performance.now()), database: database.kind }, 'Cambist is ready');
  exchange.announce(address);
}

async function makeDatabase(directory: string): Promise<void> {
  const [database, { migrate }] = await Promise.all([openPglite(directory), import('./platform/migrations.ts')]);
  await migrate(database);
  await database.close();
}

/**
 * Ahead of a start, see `prepareServer` in scripts/workspace.mjs: reads the modules and, for the first one, makes the embedded
 * database, which takes longest. One that is there may hold money: it is left to the start itself.
 */
async function prepare(andDatabase: boolean): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = readConfig(process.env);
  const isFirst = andDatabase && DATABASE_URL === undefined && !existsSync(DATA_DIR);
  await Promise.all([import('./exchange-process.ts'), isFirst && makeDatabase(DATA_DIR)]);
}

try {
  await (process.argv[2] === 'prepare' ? prepare(process.argv[3] === 'database') : run());
} catch (error) {
  const expected = [ConfigError, DirectoryHeld, DatabaseNewer, NoRoom, SecretsKeyWrong, ClockBehindJournal];
  const isExpected = expected.some((kind) => error instanceof kind);
  const { message, stack } = error as Error;
  process.stderr.write(`${isExpected ? message : stack}\n`);
  process.exit(1);
}
