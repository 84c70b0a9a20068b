/** Tells clients of liquidations, and of positions that ended with their market: it follows the tables, so each is told once. */
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { ConsumerStore } from '../../platform/consumer-store.ts';
import type { Statement } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPacedConsumer, type RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { WorkReport } from '../../platform/work-report.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { Notices } from './notices.ts';
import type { FuturesStore } from './store.ts';

const PAGE = 200;

interface Deps {
  readonly store: Pick<FuturesStore, 'liquidationsAfter' | 'settledAfter'>;
  readonly consumers: ConsumerStore;
  readonly notices: Notices;
  readonly markets: Pick<MarketLookup, 'byId'>;
  /** The batch that the tables hold. */
  readonly projected: () => number;
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly logger: Logger;
  readonly work: WorkReport;
}

interface Followed<Row> {
  readonly name: string;
  readonly rowsAfter: (id: number, limit: number) => Promise<readonly Row[]>;
  readonly statementsOf: (rows: readonly Row[], marketOf: (id: number) => MarketSpec) => readonly Statement[];
}

interface AboutSomebody {
  readonly id: number;
  readonly owner: number;
}

const isPerson = ({ owner }: AboutSomebody) => owner !== HOUSE_MAKER && owner !== HOUSE_TAKER;

function follow<Row extends AboutSomebody>(
  { projected, markets, announce, consumers, logger, work }: Deps,
  { name, rowsAfter, statementsOf }: Followed<Row>,
): RunningPacedConsumer {
  return createPacedConsumer(
    {
      name,
      version: projected,
      async pageAfter(position) {
        const rows = await rowsAfter(position, PAGE);
        const persons = rows.filter(isPerson);
        return {
          position: rows.at(-1)?.id ?? position,
          statements: statementsOf(persons, markets.byId),
          isLast: rows.length < PAGE,
          committed: () => announce(persons.map(({ owner }) => owner)),
        };
      },
    },
    { store: consumers, logger, work },
  );
}

export function createPositionNotices(deps: Deps): readonly RunningPacedConsumer[] {
  const { store, notices } = deps;
  return [
    follow(deps, {
      name: 'liquidation notices',
      rowsAfter: store.liquidationsAfter,
      statementsOf: notices.ofLiquidations,
    }),
    follow(deps, { name: 'settlement notices', rowsAfter: store.settledAfter, statementsOf: notices.ofSettled }),
  ];
}
