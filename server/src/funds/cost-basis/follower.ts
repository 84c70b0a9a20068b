/** Follows trades and transfers and keeps what each client's coins have cost: a durable consumer at its own pace. */
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { worthAt } from '../../exchange/liquidity/service.ts';
import type { RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import { createStepConsumer, type Step, type StepDeps } from './feed.ts';
import { applyStep, type Positions, positionKey, type ValueOf } from './steps.ts';
import { type CostBasisStore, savePlace, savePositions } from './store.ts';

export interface FollowerDeps extends Omit<StepDeps, 'marketById'> {
  readonly store: CostBasisStore;
  readonly markets: {
    byId(id: number): MarketSpec;
    /** All that have priced an asset in money, delisted ones too. */
    pricing(asset: number): readonly MarketSpec[];
  };
  /** What a market's price was before the minute of a time, traded or told, ticks; 0 where that is not known. */
  readonly priceBefore: (market: number, time: number) => number;
  /** What costs are counted in. */
  readonly money: Asset;
}

const MINUTE_MS = 60_000;

/**
 * Finds the prices that steps need: of the last trade before each where that was in its minute, else what the price was before that
 * minute, which may have been told since.
 */
async function valuesOf(steps: readonly Step[], deps: FollowerDeps): Promise<ValueOf> {
  const { money, trades, markets, priceBefore } = deps;
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
    const isOfItsMinute = found !== undefined && found.time >= step.time - (step.time % MINUTE_MS);
    const before = isOfItsMinute ? 0 : priceBefore(market.id, step.time);
    const ticks = before || (found?.price ?? 0);
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

export function createFollower(deps: FollowerDeps): RunningPacedConsumer {
  const { store, money, markets } = deps;

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

  return createStepConsumer(
    {
      name: 'cost-basis',
      place: store.place,
      savePlace,
      async effectsOf(steps) {
        const positions = await changed(steps);
        return positions.size > 0 ? [savePositions(positions)] : [];
      },
    },
    { ...deps, marketById: markets.byId },
  );
}
