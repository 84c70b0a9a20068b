/** What ends an announced market at its time, and who is told before, without a database. */
import { HOUSE_MAKER } from '@cambist/core/ledger/account.ts';
import { BTC_PERPETUAL, BTC_USDT } from '@cambist/core/simulation/markets.ts';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { Notice } from '../../people/notifications/service.ts';
import { type DelistingDeps, Delistings } from './delistings.ts';
import type { AdminMarket, MarketError } from './service.ts';

const DELISTING = { closeOnlyAt: 100, endsAt: 200 };
const CLIENT = HOUSE_MAKER + 50;

function setUp(settled: object | MarketError = {}) {
  const acts: string[] = [];
  const told: { client: number; notice: Notice }[] = [];
  const clock = { time: 199, now: () => clock.time };
  const state = { delisted: false, delisting: DELISTING, markPrice: 640_000, lastPrice: 0 };
  const holding = (owner: number) => ({ owner, market: BTC_PERPETUAL.id, position: {} });
  const view = {
    markets: () => [BTC_USDT, BTC_PERPETUAL],
    marketState: () => state,
    holdings: () => [holding(HOUSE_MAKER), holding(CLIENT), holding(CLIENT)],
  };
  const parts = {
    ...{ view, clock, logger: pino({ enabled: false }), holdersOf: async () => [HOUSE_MAKER, CLIENT] },
    admin: {
      submit: async ({ kind }: { kind: string }) => void acts.push(kind),
      endOrders: async () => acts.push('end-orders'),
      delist: async (_: object, symbol: string) => acts.push(`delist ${symbol}`),
    },
    settling: { settle: vi.fn(async () => settled) },
    halts: { forget: async (market: number) => void acts.push(`forget ${market}`) },
    notifications: { tell: async (client: number, notice: Notice) => void told.push({ client, notice }) },
  };
  const delistings = new Delistings(parts as unknown as DelistingDeps);
  return { acts, told, clock, state, settle: parts.settling.settle, delistings };
}

it('ends no market before its time, and then spot markets and perpetuals, the latter at their mark', async () => {
  const { acts, clock, settle, delistings } = setUp();
  await delistings.run();
  expect(acts).toEqual([]);
  clock.time = 200;
  await delistings.run();
  expect(acts).toEqual([
    ...[`forget ${BTC_USDT.id}`, 'delist BTC-USDT'],
    ...[`forget ${BTC_PERPETUAL.id}`, 'halt-market', 'end-orders'],
  ]);
  const price = (640_000 / 10 ** BTC_PERPETUAL.tickScale).toFixed(BTC_PERPETUAL.tickScale);
  const terms = { price, confirm: BTC_PERPETUAL.symbol, accept_insurance: '0' };
  expect(settle).toHaveBeenCalledWith(expect.anything(), BTC_PERPETUAL.symbol, terms);
});

it('leaves a perpetual that the insurance would pay for halted, and tries it once', async () => {
  const { acts, clock, settle, delistings } = setUp({ kind: 'would-pay', amount: '5' });
  clock.time = 300;
  await delistings.run();
  await delistings.run();
  expect(settle).toHaveBeenCalledTimes(1);
  expect(acts.filter((act) => act === 'halt-market')).toHaveLength(1);
});

it('tells each holder once, of a coin or of a position, and not the market maker', async () => {
  const { told, delistings } = setUp();
  const market = (symbol: string, coin: string) =>
    ({ symbol, coin, delisting: { close_only_at: 0, ends_at: 86_400_000 } }) as AdminMarket;
  expect(await delistings.tellHolders(market(BTC_USDT.symbol, 'BTC'))).toBe(1);
  expect(await delistings.tellHolders(market(BTC_PERPETUAL.symbol, 'BTC'))).toBe(1);
  expect(told.map(({ client }) => client)).toEqual([CLIENT, CLIENT]);
  expect(told.map(({ notice }) => notice.type)).toEqual(['orders', 'futures']);
  expect(told[0]?.notice.body.values).toMatchObject({ closeOnly: '1970-01-01 00:00 UTC', end: '1970-01-02 00:00 UTC' });
});
