import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPairs } from '@cambist/contract/markets.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChartFeed } from './chart-feed.ts';
import { timeframeOf } from './timeframes.ts';

const script = readFileSync(join(import.meta.dirname, '../../../../public/early.js'), 'utf8');
const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const stored = (entries: Record<string, string>) => ({ getItem: (name: string) => entries[name] ?? null });

interface Visit {
  readonly path?: string;
  readonly session?: object;
  readonly timeframe?: string;
}

/** Runs the file as the terminal's page does. */
function visit({ path = '/trades/spot/BTC', session = {}, timeframe }: Visit = {}): Window {
  const globals = {
    window: {} as Window,
    location: { pathname: path },
    localStorage: stored({ 'cambist.session': JSON.stringify({ state: session }) }),
    sessionStorage: stored(timeframe ? { 'cambist.timeframe': timeframe } : {}),
  };
  new Function(...Object.keys(globals), script)(...Object.values(globals));
  return globals.window;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_012_345 });
  vi.stubGlobal('fetch', fetched);
  fetched.mockImplementation(() => Promise.resolve(Response.json({ s: 'no_data' })));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  fetched.mockReset();
});

const askedPaths = () => fetched.mock.calls.map(([path]) => path);

test('what is asked early is what the terminal asks for: all pairs, and the first candles', async () => {
  visit({ path: '/trades/spot/eth' });
  const [pairs, candles] = askedPaths();
  expect(pairs).toBe(allPairs.path);
  fetched.mockClear();
  const feed = createChartFeed('ETH-USDT', timeframeOf('1min'), {
    onLoaded: () => undefined,
    onLost: () => undefined,
    onError: () => undefined,
  });
  // A moment later, within the same minute.
  vi.setSystemTime(1_800_000_052_345);
  await feed.loader.getBars({ type: 'init', timestamp: null, callback: () => undefined } as never);
  expect(askedPaths()).toEqual([candles]);
});

test('the program takes an answer once, and only as the client who it was asked for', async () => {
  const page = visit({ session: { token: 'mine' } });
  expect(new Headers(fetched.mock.calls[0]?.[1].headers).get('authorization')).toBe('Bearer mine');
  const [pairs = '', candles = ''] = askedPaths();
  expect(page.takeEarlyAnswer?.(pairs, undefined)).toBeUndefined();
  expect((await page.takeEarlyAnswer?.(candles, 'mine'))?.ok).toBe(true);
  expect(page.takeEarlyAnswer?.(candles, 'mine')).toBeUndefined();
});

test('an answer that has waited too long for the program is not taken, nor candles of another length asked', () => {
  const page = visit({ timeframe: '1hr' });
  expect(askedPaths()).toEqual([allPairs.path]);
  vi.setSystemTime(1_800_000_012_345 + 15_000);
  expect(page.takeEarlyAnswer?.(allPairs.path, undefined)).toBeUndefined();
});
