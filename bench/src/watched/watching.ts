/** A chain being watched without a server around it: the watcher and its tables, as production has them. */

import { createNetworkStore } from '@cambist/server/funds/chains/network-store.ts';
import type { Chain } from '@cambist/server/funds/chains/service.ts';
import { createAddressStore } from '@cambist/server/funds/deposits/address-store.ts';
import { createChainStore } from '@cambist/server/funds/deposits/chain-store.ts';
import { Watcher } from '@cambist/server/funds/deposits/watcher.ts';
import type { Database } from '@cambist/server/platform/database.ts';
import { createLogger } from '@cambist/server/platform/logger.ts';

const ETHER = { id: 1, code: 'ETH', scale: 8 };

export function watch(database: Database, chain: Chain) {
  const store = createChainStore(database);
  const watcher = new Watcher({
    ...{ chain, store, networks: createNetworkStore(database), clock: Date, logger: createLogger('silent') },
    addresses: createAddressStore(database),
    assetByCode: (code) => (code === ETHER.code ? ETHER : undefined),
    onMoved: async () => undefined,
    internal: async () => new Set(),
    alarm: async (kind, detail) => {
      throw new Error(`${kind}: ${detail}`);
    },
  });
  return {
    watcher,
    store,
    async seen(): Promise<number> {
      return (await database.query<{ n: number }>('SELECT count(*)::int8 AS n FROM deposits'))[0]?.n ?? 0;
    },
  };
}
