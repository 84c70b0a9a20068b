/** The exchange on a database that is open: who may be in it, and where it listens. */
import { createApp } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { createOperators } from './identity/operators/service.ts';
import { createAudit, createAuditStore } from './operator/audit/service.ts';
import { ensureDemoAccounts, printDemoAccounts } from './operator/development/demo.ts';
import { demoAccounts } from './operator/development/service.ts';
import type { Database } from './platform/database.ts';
import { migrate } from './platform/migrations.ts';
import type { AppDeps } from './platform/slice.ts';

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

/** Each by what the operator can change; undefined for another error. */
function explainListening(error: NodeJS.ErrnoException, { HOST, PORT }: Config): string | undefined {
  switch (error.code) {
    case 'EADDRINUSE':
      return `PORT: another program listens at ${HOST}:${PORT}. End it, or set PORT to another number.`;
    case 'EACCES':
      return `PORT: this user may not listen at ${PORT}. Set a number of 1024 or more, and a proxy before it.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${HOST} is not an address of this machine. Set it to one, or to 0.0.0.0 for all.`;
    default:
      return undefined;
  }
}

/** @throws ConfigError when accounts with published passwords are in it and may not be */
export async function openExchange(deps: AppDeps) {
  const { config, database } = deps;
  if (!config.allowsDemoAccounts) await refuseDemoAccounts(database);
  const app = await createApp(deps);
  return {
    close: app.close,
    /**
     * @returns its address
     * @throws ConfigError when this process may not listen there
     */
    async listen(): Promise<string> {
      // Before anybody can ask: who is told that the exchange is ready can sign in.
      if (!config.isProduction) await ensureDemoAccounts(app);
      return app.http.listen({ host: config.HOST, port: config.PORT }).catch((error: NodeJS.ErrnoException) => {
        const why = explainListening(error, config);
        throw why === undefined ? error : new ConfigError(why);
      });
    },
    /** Tells who stands before it in development how to sign in. */
    announce(address: string): void {
      if (!config.isProduction) printDemoAccounts(address);
    },
  };
}
