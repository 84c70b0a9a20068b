/** `npm run operator`: the command line for operators and for the demo accounts. Reads the same settings as the server. */

import { type Config, ConfigError, readConfig } from './config.ts';
import { type AddressStore, createAddressStore } from './funds/deposits/service.ts';
import { forgetNewestSigned } from './funds/payouts/service.ts';
import {
  COMMAND,
  createOperators,
  type Linked,
  type OperatorError,
  type Operators,
} from './identity/operators/service.ts';
import { type Audit, createAudit, createAuditStore } from './operator/audit/service.ts';
import { demoAccounts } from './operator/development/service.ts';
import { acceptClock, type ClockActDeps, listTimesAhead, setClockBack } from './operator-clock.ts';
import type { Database } from './platform/database.ts';
import { migrate } from './platform/migrations.ts';
import { openPglite } from './platform/pglite.ts';
import { openPostgres } from './platform/postgres.ts';
import { createSecretsKeyStore, type SecretsKeyStore } from './platform/secrets-key-store.ts';

// As the server does: what is made in the data folder is its owner's alone.
process.umask(0o077);

const USAGE = `npm run operator -- add <email>              make an operator, or give one a new link
npm run operator -- rekey <email>            end all that opens an operator's account, and give it a new link
npm run operator -- remove <email> [--force] remove an operator (--force: the last one too)
npm run operator -- remove-demo              remove the demo accounts that still open with their published passwords
npm run operator -- accept-key               have the next start take the key of secrets that it finds
npm run operator -- after-restore            before the start on a backup: no deposit address is given twice
npm run operator -- accept-clock             a clock that was set forward is right: the running server takes it
npm run operator -- times-ahead              shows what a clock that was ahead has left in the future
npm run operator -- set-clock-back <today>   puts that right, with the server stopped, and has the next start go on from now
npm run operator -- accept-signer-record     the signer's record is lost for good: it signs again without what it signed before
npm run operator -- list`;

const messages: Readonly<Record<OperatorError, string>> = {
  'no-address': 'This is not an email address.',
  'a-client': "This address has a client's account. Operators have accounts of their own: use another address.",
  unknown: 'There is no operator with this address.',
  'the-last': 'This is the last operator. Add another one first, or say --force.',
};

/** The database, and whether a server is running on it. */
async function open(config: Config): Promise<{ database: Database; isServed: boolean }> {
  const url = config.DATABASE_URL;
  if (url === undefined) {
    const database = await openPglite(config.DATA_DIR);
    await migrate(database);
    return { database, isServed: false };
  }
  const database = openPostgres({ url, connections: 2, connectTimeoutSeconds: 10 });
  const isServed = !(await database.becomeWriter(0));
  // Where a server runs, it has brought the tables to its version.
  if (!isServed) await migrate(database);
  return { database, isServed };
}

function linkText(email: string, linked: Linked, config: Config): string {
  if (!linked.ok) throw new ConfigError(messages[linked.error]);
  const site = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;
  const link = new URL(`/operator-setup#${linked.token}`, site).href;
  const what = linked.isNew ? `${email} is an operator.` : `${email} has no password, session, key or factor any more.`;
  return `${what}\nOpen this link within 24 hours; it is good once:\n\n  ${link}\n\nIt sets the passwords. Then sign in and connect an authenticator app.`;
}

async function listText(operators: Operators): Promise<string> {
  const rows = await operators.list();
  if (rows.length === 0) return 'There is no operator. Make one with: npm run operator -- add <email>';
  return rows
    .map(({ email, is_set_up, has_app, link_expires_at }) => {
      const link = link_expires_at === null ? '' : `, link until ${new Date(link_expires_at).toISOString()}`;
      return `${email}  ${is_set_up ? 'set up' : 'not set up'}, ${has_app ? 'with' : 'without'} authenticator app${link}`;
    })
    .join('\n');
}

const WITH_ADDRESS = ['add', 'rekey', 'remove'];
const END_SESSIONS = [...WITH_ADDRESS, 'remove-demo'];

const KEY_ACCEPTED = `The next start takes the key that it finds. What the other one sealed stays closed: authenticator apps, exports.
Give operators a new link (rekey), and take the factors of clients away in the console, each once you know who asks.`;

interface Reach {
  readonly operators: Operators;
  readonly secretsKey: SecretsKeyStore;
  readonly addresses: Pick<AddressStore, 'skipIndexes'>;
  readonly audit: Audit;
  readonly config: Config;
  readonly clocks: ClockActDeps;
}

async function act(
  { operators, secretsKey, addresses, audit, config, clocks }: Reach,
  [verb = '', email = '', ...flags]: string[],
): Promise<string> {
  switch (email === '' && WITH_ADDRESS.includes(verb) ? '' : verb) {
    case 'add':
      return linkText(email, await operators.add(email), config);
    case 'rekey':
      return linkText(email, await operators.rekey(email), config);
    case 'remove': {
      const error = await operators.remove(email, flags.includes('--force'));
      if (error !== undefined) throw new ConfigError(messages[error]);
      return `${email} is no operator any more, and the account is removed.`;
    }
    case 'remove-demo': {
      const removed = await operators.removeKnown(demoAccounts);
      return removed.length === 0 ? 'No account opens with a published password.' : `Removed: ${removed.join(', ')}`;
    }
    case 'accept-key':
      if (!(await secretsKey.forget())) return 'No key is known yet: the next start takes what it finds.';
      await audit.record({ act: 'accept-secrets-key', ...COMMAND });
      return KEY_ACCEPTED;
    case 'after-restore': {
      const next = await addresses.skipIndexes();
      await audit.record({ act: 'skip-deposit-keys', detail: { next }, ...COMMAND });
      return `Deposit keys go on at ${next}: no address that was shown since the backup is given to another client.`;
    }
    case 'accept-clock':
      return acceptClock(clocks);
    case 'times-ahead':
      return listTimesAhead(clocks);
    case 'set-clock-back':
      return setClockBack(clocks, email);
    case 'accept-signer-record':
      if (!(await forgetNewestSigned(clocks.database)))
        return 'The server knows of nothing that the signer has signed.';
      await audit.record({ act: 'accept-signer-record', ...COMMAND });
      return 'The server no longer asks the signer for what it signed before. Payments that wait go on within a minute.';
    case 'list':
      return listText(operators);
    default:
      throw new ConfigError(USAGE);
  }
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const { database, isServed } = await open(config);
  try {
    const audit = createAudit({ store: createAuditStore(database), clock: Date });
    const args = process.argv.slice(2);
    const operators = createOperators({ database, audit, clock: Date });
    const [secretsKey, addresses] = [createSecretsKeyStore(database), createAddressStore(database)];
    const clocks = { database, audit, clock: Date, isServed };
    const text = await act({ operators, secretsKey, addresses, audit, config, clocks }, args);
    const ends = isServed && END_SESSIONS.includes(args[0] ?? '');
    const when = ends ? '\n\nThe running server ends sessions and keys within a second.' : '';
    process.stdout.write(`${text}${when}\n`);
  } finally {
    await database.close();
  }
}

try {
  await run();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).message}\n`);
  process.exit(1);
}
