/**
 * Tells clients once what each interval of funding has cost or brought them. It follows the table of settlements, interval by
 * interval and in each owner by owner, and works out what was open from the history: the engine is asked nothing.
 */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { ConsumerStore } from '../../platform/consumer-store.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPacedConsumer, type Page, type RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { WorkReport } from '../../platform/work-report.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { Streams } from '../streams/service.ts';
import { HOUR_MS } from './describe.ts';
import type { Notices, OwnerFunding } from './notices.ts';
import type { FundingNoticeStore, SettlementRow } from './store.ts';

/** Owners in one transaction. */
const OWNERS = 500;
/** More than one interval ever settles: each perpetual does once an hour at most. */
const SETTLEMENTS = 1_000;
/** Indexes of all perpetuals come within seconds of the hour; what settles later than that is told by itself. */
const GATHER_MS = 10_000;

interface Deps {
  readonly store: FundingNoticeStore;
  readonly consumers: ConsumerStore;
  readonly notices: Pick<Notices, 'ofFunding'>;
  readonly markets: Pick<MarketLookup, 'byId'>;
  readonly streams: Pick<Streams, 'note'>;
  /** The batch that the tables hold. */
  readonly projected: () => number;
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly work: WorkReport;
}

const hourOf = ({ time }: SettlementRow): number => Math.floor(time / HOUR_MS);

/** Settlements of one hour that follow each other, from the first on. */
function firstInterval(settlements: readonly SettlementRow[]): readonly SettlementRow[] {
  const [first] = settlements;
  if (first === undefined) return [];
  const end = settlements.findIndex((one) => hourOf(one) !== hourOf(first));
  return end < 0 ? settlements : settlements.slice(0, end);
}

class FundingNotices {
  readonly #deps: Deps;
  /** Up to whom the interval that ends with a settlement has been told. */
  #told = { settlement: 0, owner: 0 };
  /** Whether the newest interval may get more settlements. */
  #isGathering = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** While an interval gathers, time alone brings news. */
  version(): number {
    const { projected, clock } = this.#deps;
    return projected() + (this.#isGathering ? clock.now() : 0);
  }

  async load(): Promise<void> {
    this.#told = await this.#deps.store.fundingTold();
  }

  async pageAfter(position: number): Promise<Page> {
    const { store, clock } = this.#deps;
    const settlements = await store.settlementsAfter(position, SETTLEMENTS);
    // One that has begun to be told is told as it was then.
    const begun = settlements.findIndex(({ id }) => id === this.#told.settlement);
    const interval = begun < 0 ? firstInterval(settlements) : settlements.slice(0, begun + 1);
    const [first, last] = [interval[0], interval.at(-1)];
    this.#isGathering = begun < 0 && first !== undefined && clock.now() - first.time < GATHER_MS;
    if (last === undefined || this.#isGathering) return { position, statements: [], isLast: true };
    return this.#tell(position, interval, last.id);
  }

  async #tell(position: number, interval: readonly SettlementRow[], settlement: number): Promise<Page> {
    const { store, notices, markets, streams, announce } = this.#deps;
    const after = this.#told.settlement === settlement ? this.#told.owner : 0;
    const owners = await store.ownersAfter(
      after,
      interval.map(({ market }) => market),
      OWNERS,
    );
    const through = owners.at(-1) ?? after;
    const told = await this.#fundingOf(owners, interval, markets.byId);
    this.#told = { settlement, owner: through };
    const isWhole = owners.length < OWNERS;
    return {
      position: isWhole ? settlement : position,
      statements: [...notices.ofFunding(told), store.tellFunding(this.#told)],
      isLast: false,
      committed: () => announce(told.map(({ owner }) => owner).filter((owner) => streams.note(owner, 'notifications'))),
    };
  }

  async #fundingOf(
    owners: readonly number[],
    interval: readonly SettlementRow[],
    marketOf: (id: number) => MarketSpec,
  ): Promise<readonly OwnerFunding[]> {
    if (owners.length === 0) return [];
    const rows = await this.#deps.store.fundingOf(
      owners,
      interval.map(({ id }) => id),
    );
    const byOwner = Map.groupBy(rows, ({ owner }) => owner);
    return [...byOwner].map(([owner, own]) => ({
      owner,
      rows: own.map((row) => ({ row, market: marketOf(row.market) })),
    }));
  }
}

export function createFundingNotices(deps: Deps): RunningPacedConsumer {
  const notices = new FundingNotices(deps);
  return createPacedConsumer(
    {
      name: 'funding notices',
      version: () => notices.version(),
      load: () => notices.load(),
      pageAfter: (position) => notices.pageAfter(position),
    },
    { store: deps.consumers, logger: deps.logger, work: deps.work },
  );
}
