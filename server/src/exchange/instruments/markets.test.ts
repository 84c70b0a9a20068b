import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOn, startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import { listings } from './catalogue.ts';
import { profiles } from './profiles.ts';

interface Pair {
  readonly coin_pair_name: string;
  readonly image: string;
  readonly close: string;
  readonly increase_in_value: string;
  readonly volume: string;
  readonly coin_id: number;
  readonly coin: string;
  readonly type: string;
  readonly favorite: string;
  readonly volume_quote: string;
  readonly sparkline: number[];
}
interface Pairs {
  readonly coinpair: Pair[];
}

let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange(Date, 'simulated');
  await exchange.fund(1000, 'USDT', 10n ** 17n);
  await exchange.fund(1000, 'BTC', 10n ** 12n);
  for (let level = 0; level < 7; level += 1) {
    await exchange.place(1000, 0, BUY, 912_000 - level, 1_000 + level);
    await exchange.place(1000, 0, SELL, 912_500 + level, 2_000 + level);
  }
});

afterAll(async () => {
  await exchange.stop();
  await exchange.source.remove();
});

const coins = async (path: string, token?: string) => ((await exchange.get(path, token)) as Pairs).coinpair;

describe('the catalogue', () => {
  it('gives ids that stay after a restart, and a profile to every coin', async () => {
    expect(listings.length).toBeGreaterThanOrEqual(30);
    for (const { code } of listings) expect(profiles[code]?.intro).toBeTruthy();
    const before = exchange.catalogue.listed;
    const again = await startTestExchange();
    await again.stop();
    const reopened = await startOn(await again.source.open(), again.source, again.clock);
    expect(reopened.catalogue.listed).toEqual(before);
    await reopened.stop();
    await again.source.remove();
  });

  it('finds a pair as BTC, BTCUSDT or BTC-USDT in any case', () => {
    for (const name of ['BTC', 'btc', 'BTCUSDT', 'BTC-USDT', 'btc/usdt']) {
      expect(exchange.catalogue.resolvePair(name)?.coin).toBe('BTC');
    }
    expect(exchange.catalogue.resolvePair('USDT')).toBeUndefined();
  });

  it('lists perpetuals beside the spot markets, and finds them by names of their own alone', () => {
    const { catalogue } = exchange;
    expect(catalogue.perpetuals.length).toBeGreaterThanOrEqual(10);
    expect(catalogue.markets.every(({ spec }) => spec.perpetual === undefined)).toBe(true);
    expect(catalogue.listed).toEqual([...catalogue.markets, ...catalogue.perpetuals]);
    for (const name of ['BTC-USDT-SWAP', 'btcusdt-swap', 'BTCUSDTSWAP']) {
      expect(catalogue.resolvePair(name)?.spec.symbol).toBe('BTC-USDT-SWAP');
    }
    expect(catalogue.resolvePair('BTC-USDT')?.spec.symbol).toBe('BTC-USDT');
    expect(catalogue.everNamed('BTC-USDT-SWAP')).toEqual([catalogue.resolvePair('BTC-USDT-SWAP')?.spec.id]);
    expect(catalogue.everNamed('BTC')).toEqual([catalogue.resolvePair('BTC')?.spec.id]);
  });

  it('serves an icon for every pair, and draws one for a coin it does not know', async () => {
    for (const { image } of exchange.catalogue.markets) {
      const icon = await exchange.http.inject({ url: image });
      expect(icon.statusCode).toBe(200);
      expect(icon.headers['content-type']).toContain('image/svg+xml');
      expect(icon.body).toContain('<svg');
    }
    expect((await exchange.http.inject({ url: '/icons/zzz.svg' })).body).toContain('ZZZ');
    expect((await exchange.http.inject({ url: '/icons/..%2Fpackage.json' })).statusCode).toBe(404);
  });
});

describe('pairs', () => {
  it('main-coins are the pairs of type MAIN, the largest first (T-calls-10, A-calls-17)', async () => {
    const pairs = await coins('/api/v3/main-coins?pair_type=MAIN');
    expect(new Set(pairs.map((pair) => pair.type))).toEqual(new Set(['MAIN']));
    const volumes = pairs.map((pair) => Number(pair.volume_quote));
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(pairs[0]!.sparkline).toHaveLength(24);
  });

  it('inno-coins and inn-coins take any pair_type, and without one have no main coin (T-calls-08, T-calls-09, A-calls-18, A-calls-19)', async () => {
    for (const path of ['inno-coins', 'inn-coins']) {
      for (const type of ['ALT', 'ETH', 'MAIN']) {
        const pairs = await coins(`/api/v3/${path}?pair_type=${type}`);
        expect(pairs.length).toBeGreaterThan(5);
        expect(pairs.every((pair) => pair.type === type)).toBe(true);
      }
      const types = (await coins(`/api/v3/${path}`)).map(({ type }) => type);
      expect(new Set(types)).toEqual(new Set(['ETH', 'ALT']));
    }
  });

  it('each pair has the documented fields (A-markets-28..34)', async () => {
    for (const pair of await coins('/api/v2/market-all-pairs')) {
      expect(pair.coin_pair_name).toMatch(/^[A-Z0-9]+USDT$/);
      expect(pair.image).toMatch(/^\/icons\/[a-z0-9]+\.svg$/);
      expect(pair.close).toMatch(/^\d+\.?\d*$/);
      expect(pair.increase_in_value).toMatch(/^-?\d+\.\d{4}$/);
      expect(pair.volume).toMatch(/^\d+\.?\d*$/);
      expect(Number.isInteger(pair.coin_id)).toBe(true);
      expect(pair.favorite).toBe('');
      expect(['MAIN', 'ETH', 'ALT']).toContain(pair.type);
    }
  });

  it('proof-of-work and proof-of-stake pairs have calls of their own, with the same answer (A-polling-01, A-calls-70, A-calls-71)', async () => {
    const [pow, pos] = [await coins('/api/v3/pow-coins'), await coins('/api/v3/pos-coins')];
    expect(pow.map(({ coin }) => coin)).toEqual(expect.arrayContaining(['BTC', 'LTC', 'DOGE']));
    expect(pos.map(({ coin }) => coin)).toEqual(expect.arrayContaining(['ETH', 'SOL', 'ADA']));
    expect(pow.some(({ coin }) => pos.some((other) => other.coin === coin))).toBe(false);
    expect([...pow, ...pos].map(({ coin }) => coin)).not.toContain('LINK');
  });

  it('home and market lists hold every pair (A-calls-11, A-calls-12)', async () => {
    expect(await coins('/api/v1/home/coins')).toHaveLength(35);
    expect(await coins('/api/v2/market-all-pairs')).toHaveLength(35);
  });

  it('a favourite is toggled for its client alone (T-calls-11, T-calls-12, A-calls-13..16)', async () => {
    const token = 'client-1000';
    const add = (id: number) => exchange.get(`/api/v3/add-favorite?coin_id=${id}`, token);
    expect(await coins('/api/v3/favorites', token)).toEqual([]);
    expect(await add(1)).toEqual({ message: 'success', favorite: '1' });
    expect((await coins('/api/v3/favorites', token)).map((pair) => pair.coin)).toEqual(['ETH']);
    const all = await coins('/api/v3/all-pairs?client_id=1000', token);
    expect(all.filter((pair) => pair.favorite !== '').map((pair) => pair.coin)).toEqual(['ETH']);
    expect((await coins('/api/v3/all-pairs?client_id=1000', 'client-1001')).every((pair) => pair.favorite === '')).toBe(
      true,
    );
    expect(await add(1)).toEqual({ message: 'success', favorite: '' });
    expect(await coins('/api/v3/favorites', token)).toEqual([]);
    const [perpetual] = await coins('/api/v3/futures/pairs', token);
    await add(perpetual!.coin_id);
    expect(await coins('/api/v3/favorites', token)).toMatchObject([{ coin_id: perpetual!.coin_id, favorite: '1' }]);
    await add(perpetual!.coin_id);
    expect(await add(999)).toMatchObject({ status: 404, code: 'UNKNOWN_PAIR' });
    expect(await exchange.get('/api/v3/favorites')).toMatchObject({ status: 401 });
  });
});

describe('one pair', () => {
  it('recent-trades is the order book: five levels a side, and the last price (T-calls-04, T-orderbook-trades-12..14)', async () => {
    const { orders } = (await exchange.get('/api/v2/recent-trades?name=BTCUSDT')) as {
      orders: { asks: unknown[]; bids: unknown[]; price: string };
    };
    expect(orders.asks).toHaveLength(5);
    expect(orders.bids).toHaveLength(5);
    expect(orders.bids[0]).toEqual({ unit_price: '91200.0', number_of_order: '0.01000' });
    expect(orders.asks[0]).toEqual({ unit_price: '91250.0', number_of_order: '0.02000' });
    expect(orders.price).toBe('91250.0');
    expect(await exchange.get('/api/v2/recent-trades?name=NOPE')).toMatchObject({ status: 404 });
    // The last price is that of a trade, wherever the book stands.
    const { spec } = exchange.catalogue.resolvePair('LTC')!;
    await exchange.fund(1000, 'LTC', 10n ** 12n);
    await exchange.fund(1001, 'USDT', 10n ** 14n);
    for (const price of [8_300, 8_301]) await exchange.place(1000, spec.id, SELL, price, 10_000);
    await exchange.place(1001, spec.id, BUY, 8_300, 10_000);
    const after = await exchange.get('/api/v2/recent-trades?name=LTCUSDT');
    expect(after).toMatchObject({ orders: { asks: [{ unit_price: '83.01' }], price: '83.00' } });
  });

  it('current-price has the close and the change over 24 hours (T-calls-06)', async () => {
    const { chart } = (await exchange.get('/api/v3/coin-pair/current-price?symbol=BTC&timeframe=1min')) as {
      chart: Record<string, string>;
    };
    expect(chart.close).toBe('91250.0');
    expect(chart.increase_in_value).toMatch(/^-?\d+\.\d{4}$/);
  });

  it('chart-series has 500 candles of the timeframe and the latest close (T-calls-21)', async () => {
    const lengths = { '1min': 60_000, '5min': 300_000, '1hr': 3_600_000, '4hr': 14_400_000, '1D': 86_400_000 };
    for (const [timeframe, length] of Object.entries(lengths)) {
      const answer = (await exchange.get(`/api/v2/chart/chart-series?symbol=ETHUSDT&timeframe=${timeframe}`)) as {
        latest_time: { close: string };
        series: { time: number }[];
      };
      expect(answer.latest_time.close).toBe('3021.40');
      expect(answer.series).toHaveLength(500);
      expect(answer.series[1]!.time - answer.series[0]!.time).toBe(length);
    }
  });

  it('coin-profile computes value and dominance, and says null where nothing is known (T-calls-22, T-spot-79)', async () => {
    const profile = async (name: string) =>
      ((await exchange.get(`/api/v3/coin-profile?name=${name}`)) as { coin_profile: Record<string, unknown> })
        .coin_profile;
    const bitcoin = await profile('BTC');
    expect(bitcoin).toMatchObject({ name: 'Bitcoin', ranking: 1, max_supply: '21000000', issue_date: '2009-01-03' });
    expect(Number(bitcoin.market_cap)).toBeCloseTo(19_950_000 * 91_250, -3);
    expect(Number(bitcoin.market_dominance)).toBeGreaterThan(40);
    expect(await profile('USDC')).toMatchObject({ market_cap: null, ranking: null, all_time_high: null });
  });

  it('coin-assets names the base coin (T-calls-07)', async () => {
    expect(await exchange.get('/api/v3/coin-assets?name=BTCUSDT')).toMatchObject({
      coin: { coin_base: 'BTC', coin_quote: 'USDT', price_scale: 1, quantity_scale: 5 },
    });
  });
});
