/** A whole server with a node of TRON beside it, which has the server's clock. */
import { startTestApp } from './app.ts';
import { makeTestDatabase } from './databases.ts';
import { startTronNode } from './tron-node.ts';

/** USDT, as it is listed. */
export const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export async function startTronApp() {
  let now = () => Date.now();
  const node = await startTronNode(() => now());
  const app = await startTestApp('postgres', await makeTestDatabase('postgres', 'migrated'), node.settings);
  now = () => app.now();
  const database = await app.source.open();
  await app.app.deposits.sync();
  await app.app.payouts.sync();
  const [row] = await database.query<{ hot_address: string }>(
    `SELECT hot_address FROM payout_networks WHERE network = 'TRC20'`,
  );
  const hot = row?.hot_address ?? '';
  return {
    ...{ node, app, database, hot },
    /** What the hot wallet has, in smallest units. */
    endow(units: { readonly trx: bigint; readonly usdt: bigint }): void {
      node.chain.endow(hot, null, units.trx);
      node.chain.endow(hot, TOKEN, units.usdt);
    },
    async stop(): Promise<void> {
      await database.close();
      await app.remove();
      await node.stop();
    },
  };
}

export type TronApp = Awaited<ReturnType<typeof startTronApp>>;
