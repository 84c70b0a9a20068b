/** Tells clients of each liquidation once: it follows the table, so none is forgotten and none told twice. */
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { ConsumerStore } from '../../platform/consumer-store.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPacedConsumer, type RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { Notices } from './notices.ts';
import type { FuturesStore, LiquidationRow } from './store.ts';

const PAGE = 200;

interface Deps {
  readonly store: Pick<FuturesStore, 'liquidationsAfter'>;
  readonly consumers: ConsumerStore;
  readonly notices: Notices;
  readonly markets: Pick<MarketLookup, 'byId'>;
  /** The batch that the tables hold. */
  readonly projected: () => number;
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly logger: Logger;
}

const isPerson = ({ owner }: LiquidationRow) => owner !== HOUSE_MAKER && owner !== HOUSE_TAKER;

export function createLiquidationNotices(deps: Deps): RunningPacedConsumer {
  const { store, notices, markets, projected, announce, logger } = deps;
  /** Of the page before: its statements are committed when the next page is read. */
  let told: readonly number[] = [];
  return createPacedConsumer(
    {
      name: 'liquidation notices',
      version: projected,
      async load() {
        told = [];
      },
      async pageAfter(position) {
        if (told.length > 0) await announce(told);
        const rows = await store.liquidationsAfter(position, PAGE);
        const persons = rows.filter(isPerson);
        told = persons.map(({ owner }) => owner);
        return {
          position: rows.at(-1)?.id ?? position,
          statements: notices.ofLiquidations(persons, markets.byId),
          isLast: rows.length < PAGE,
        };
      },
    },
    { store: deps.consumers, logger },
  );
}
