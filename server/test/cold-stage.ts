/** Hot and cold wallets without a server: what a keeper does beside the payouts of a stage. */
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import { Keeper } from '../src/funds/cold/keeper.ts';
import { createColdStore } from '../src/funds/cold/store.ts';
import { createClientStore } from '../src/identity/accounts/client-store.ts';
import type { Database } from '../src/platform/database.ts';
import type { StageParts } from './payout-stage.ts';

/** What hot and cold wallets ask of payouts. */
export const coldPayouts = ({ store, runner }: Pick<StageParts, 'store' | 'runner'>) => ({
  ...{ planning: store.planning, signedElsewhere: store.signedElsewhere, of: store.byReferences, owedBy: store.owedBy },
  ...{ exhausted: store.exhausted, book: store.book, wake: () => undefined, isStopped: () => false },
  hotAddress: () => runner.hotAddress,
  coldAddress: async () => (await store.networks()).get(runner.network)?.coldAddress || undefined,
});

export function coldWorks({ database, chain, sender, store, runner, clock, alarms }: StageParts) {
  const keeper = new Keeper({
    ...{ chain, sender, clock, networks: createNetworkStore(database), isTrusted: () => true },
    store: createColdStore(database),
    payouts: coldPayouts({ store, runner }),
    alarms: {
      raise: async (kind, detail) => void alarms.push(`${kind}: ${detail}`),
      statement(kind, detail) {
        alarms.push(`${kind}: ${detail}`);
        return { sql: 'SELECT 1' };
      },
    },
  });
  return [() => runner.readColdAddress(), keeper.run];
}

/** @returns the id of an account by which something can be done */
export async function insertOperator(database: Database, name: string): Promise<number> {
  const id = await createClientStore(database).insertClient({
    ...{ email: name, emailKey: name, passwordHash: '', transactionPasswordHash: '', mobileNumber: '' },
    ...{ referral: '', uniqueId: name, role: 'client', provider: 'email', locale: 'en', createdAt: 0 },
  });
  if (id === undefined) throw new Error(`${name} is there already`);
  return id;
}
