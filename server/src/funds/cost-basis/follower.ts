/** Follows trades and transfers and keeps what each client's coins have cost: a durable consumer at its own pace. */
import { HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { divFloor } from '@cambist/core/money/rounding.ts';
import type { LedgerPlace, Movement, MovementStore } from '../../exchange/ledger/service.ts';
import type { TradeStore } from '../../exchange/orders/service.ts';
import { createPacedConsumer, type PacedDeps, type Page } from '../../platform/paced-consumer.ts';
import { applyStep, type Positions, positionKey, type Step, stepsOf, type ValueOf } from './steps.ts';
import { type CostBasisStore, savePlace, savePositions } from './store.ts';

export interface FollowerDeps {
  readonly store: CostBasisStore;
  readonly trades: TradeStore;
  readonly movements: MovementStore;
  readonly consumers: PacedDeps;
  readonly markets: {
    byId(id: number): MarketSpec;
    /** All that have priced an asset in money, delisted ones too. */
    pricing(asset: number): readonly MarketSpec[];
  };
  /** What a market's price was at a time before its first trade, ticks; 0 where that is not known. */
  readonly openingPrice: (market: number, time: number) => number;
  /** What costs are counted in. */
  readonly money: Asset;
  /** The batch that the tables hold. */
  readonly projected: () => number;
}

/** Trades, and rows of the ledger, that one page looks at. */
const TRADES = 1_000;
const TRANSFERS = 500;
/** The exchange's own owners and the market maker: they trade all the time, and none of them asks what it has cost. */
const isFollowed = (owner: number): boolean => owner > HOUSE_TAKER;

/** What a market makes of so many units of its base, in units of its quote, cut downwards. */
const worthAt = (market: MarketSpec, units: bigint, ticks: number): bigint =>
  divFloor(units * BigInt(ticks) * quoteUnitsPerTickLot(market), baseUnitsPerLot(market));

/** Finds the prices that steps need: of the last trade before each, else what the price was before trading began. */
async function valuesOf(steps: readonly Step[], deps: FollowerDeps): Promise<ValueOf> {
  const { money, trades, markets, openingPrice } = deps;
  const isPaid = ({ given, received }: Step) =>
    received !== undefined && (given?.asset === money.id || received.asset === money.id);
  const needed = steps.filter((step) => step.received !== undefined && !isPaid(step));
  const wishes = needed.flatMap((step) =>
    markets
      .pricing(step.valued.asset)
      .map((market) => ({ step, market, wish: { market: market.id, trade: step.trade } })),
  );
  const prices = await trades.lastPrices(wishes.map(({ wish }) => wish));
  const newest = new Map<Step, { readonly trade: number; readonly market: MarketSpec; readonly ticks: number }>();
  wishes.forEach(({ step, market }, index) => {
    const found = prices[index];
    const ticks = found?.price ?? openingPrice(market.id, step.time);
    const trade = found?.trade ?? 0;
    if (ticks > 0 && trade >= (newest.get(step)?.trade ?? 0)) newest.set(step, { trade, market, ticks });
  });
  return (step) => {
    const { given, received, valued } = step;
    if (given?.asset === money.id) return given.units;
    if (received?.asset === money.id) return received.units;
    const price = newest.get(step);
    return price && worthAt(price.market, valued.units, price.ticks);
  };
}

/** What one page reads: no trade and no transfer is left out between two pages, and none is in both. */
async function readPage({ trades, movements }: FollowerDeps, position: number, place: LedgerPlace) {
  // The trades first: a transfer before one of them is in the tables with it.
  const last = await trades.lastId();
  const read = await movements.movementsAfter(place, TRANSFERS, HOUSE_TAKER);
  const isFull = new Set(read.map(({ batch, sequence }) => `${batch}:${sequence}`)).size === TRANSFERS;
  const reached = Math.min(position + TRADES, last);
  // Beyond the last transfer that was read there may be others between the trades.
  const known = Math.max(position, ...read.map(({ after_trade }) => after_trade));
  const to = isFull ? Math.min(reached, known) : reached;
  const beyond = read.findIndex(({ after_trade }) => after_trade > to);
  const moved = beyond === -1 ? read : read.slice(0, beyond);
  const isLast = to === last && !isFull;
  return { rows: to > position ? await trades.tradesBetween(position, to, HOUSE_TAKER) : [], moved, to, isLast };
}

export function createFollower(deps: FollowerDeps) {
  const { store, markets, money } = deps;
  let place: LedgerPlace = { batch: 0, sequence: 0 };
  let next: LedgerPlace = place;

  async function changed(steps: readonly Step[]): Promise<Positions> {
    const touched = new Map<string, readonly [number, number]>();
    for (const { owner, given, received } of steps) {
      for (const { asset } of [given, received].filter((amount) => amount !== undefined)) {
        if (asset !== money.id) touched.set(positionKey(owner, asset), [owner, asset]);
      }
    }
    if (touched.size === 0) return new Map();
    const [positions, worthOf] = await Promise.all([store.positions([...touched.values()]), valuesOf(steps, deps)]);
    for (const step of steps) applyStep(positions, step, money.id, worthOf);
    return positions;
  }

  async function pageAfter(position: number): Promise<Page> {
    // The page before was written, or `load` has been called since.
    place = next;
    const { rows, moved, to, isLast } = await readPage(deps, position, place);
    const positions = await changed(stepsOf(rows, moved, markets.byId, isFollowed));
    const end: Movement | undefined = moved.at(-1);
    next = end === undefined ? place : { batch: end.batch, sequence: end.sequence };
    const statements = [
      ...(positions.size > 0 ? [savePositions(positions)] : []),
      ...(end === undefined ? [] : [savePlace(next)]),
    ];
    return { position: to, statements, isLast };
  }

  return createPacedConsumer(
    {
      name: 'cost-basis',
      version: deps.projected,
      async load() {
        next = await store.place();
      },
      pageAfter,
    },
    deps.consumers,
  );
}
