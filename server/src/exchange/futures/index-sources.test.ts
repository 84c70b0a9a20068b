import type { MarketSpec } from '@cambist/core/money/market.ts';
import { describe, expect, it, vi } from 'vitest';
import type { PriceSource } from '../liquidity/service.ts';
import { createRandom } from '../market-data/service.ts';
import { IndexRunner } from './index-runner.ts';
import { indexOf, type SourceQuote, strays } from './index-sources.ts';

const quote = (ticks: number | undefined): SourceQuote => ({
  source: { name: 'feed', price: () => ticks, isFresh: () => true, last: () => undefined },
  ticks,
  last: undefined,
});
const index = (...ticks: (number | undefined)[]) => indexOf(ticks.map(quote), 0);

describe('an index', () => {
  it('is the median of the sources that are believed; of an even number the mean of the middle two, rounded down', () => {
    expect(index(1_000_000, undefined, 1_004_000, 1_002_000)).toBe(1_002_000);
    expect(index(1_000_000, undefined, 1_000_003)).toBe(1_000_001);
    expect(index(1_000_000, 1_002_001, 1_009_000, 1_004_000)).toBe(1_003_000);
    expect(index(undefined, 7)).toBe(7);
    expect(index(undefined)).toBeUndefined();
    expect(index()).toBeUndefined();
  });

  it('is lost where the only two sources are more than 1 % apart', () => {
    expect(index(1_000_000, 1_010_000)).toBe(1_005_000);
    expect(index(1_000_000, 1_010_001)).toBeUndefined();
    expect(index(1_010_001, undefined, 1_000_000)).toBeUndefined();
  });

  it('of three and more stays between the others, whatever one of them says', () => {
    const random = createRandom(17);
    for (let round = 0; round < 2_000; round += 1) {
      const others = Array.from({ length: 2 + Math.floor(random.uniform() * 5) }, () =>
        Math.round(1_000_000 + 3_000 * random.normal()),
      );
      const lie = Math.max(1, Math.round(1_000_000 * Math.exp(3 * random.normal())));
      const place = Math.floor(random.uniform() * (others.length + 1));
      const found = index(...others.toSpliced(place, 0, lie))!;
      expect(found).toBeGreaterThanOrEqual(Math.min(...others));
      expect(found).toBeLessThanOrEqual(Math.max(...others));
    }
  });

  it('shows who strays: one from the median, or both of two that contradict each other', () => {
    expect(strays(quote(1_010_001), 1_000_000)).toBe(true);
    expect(strays(quote(1_010_000), 1_000_000)).toBe(false);
    expect(strays(quote(5), undefined)).toBe(true);
    expect(strays(quote(undefined), undefined)).toBe(false);
  });
});

describe('the sources of an index', () => {
  const coins = { base: { id: 1, code: 'BTC', scale: 8 }, quote: { id: 0, code: 'USDT', scale: 8 } };
  const spot = { id: 0, symbol: 'BTC-USDT', tickScale: 1, ...coins } as MarketSpec;
  const swap = { id: 7, symbol: 'BTC-USDT-SWAP', tickScale: 1, ...coins } as MarketSpec;

  it('raise an alarm once for each minute-long silence or straying, and none where there is one source', async () => {
    let now = 0;
    let isFresh = true;
    const prices = [1_000_000, 1_000_100, 1_500_000];
    const sources = prices.map(
      (_, at): PriceSource => ({
        name: 'abc'[at]!,
        price: () => (at === 0 && !isFresh ? undefined : prices[at]),
        isFresh: () => at !== 0 || isFresh,
        last: () => undefined,
      }),
    );
    const raise = vi.fn(async (_kind: string, _detail: string) => undefined);
    const run = (indexSources: readonly PriceSource[]) => {
      const exchange = { perpetualState: () => ({ index: 1 }), hasLiquidations: () => false };
      const submit = async () => ({ outcome: { ok: true } });
      const catalogue = { perpetuals: [{ spec: swap }], markets: [{ spec: spot }] };
      return new IndexRunner({
        ...{ engine: { exchange, sequencer: { submit } }, catalogue, indexSources },
        ...{ alarms: { raise }, clock: { now: () => now } },
      } as unknown as ConstructorParameters<typeof IndexRunner>[0]);
    };
    const runner = run(sources);
    const pass = async (ms: number) => {
      now += ms;
      await runner.run();
      return raise.mock.calls.splice(0).map(([kind, detail]) => `${kind}: ${detail}`);
    };
    expect(await pass(0)).toEqual([]);
    expect(await pass(59_999)).toEqual([]);
    expect(await pass(1)).toEqual([expect.stringMatching(/^index-source: .* c is more than 1% .*BTC-USDT-SWAP$/)]);
    expect(await pass(1_000_000)).toEqual([]);
    prices[2] = 1_000_200;
    isFresh = false;
    expect(await pass(1)).toEqual([]);
    expect(await pass(60_000)).toEqual([expect.stringMatching(/^index-source: .* a says nothing/)]);
    isFresh = true;
    prices[2] = 1_500_000;
    expect(await pass(1)).toEqual([]);
    expect(await pass(60_000)).toHaveLength(1);
    const alone = run([{ ...sources[0]!, isFresh: () => false }]);
    for (const ms of [1, 60_000]) {
      now += ms;
      await alone.run();
    }
    expect(raise).not.toHaveBeenCalled();
  });
});
