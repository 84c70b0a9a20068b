import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteAnswered } from '../../../lib/away.ts';
import { businessStream } from '../../../lib/streams.ts';
import { type CandleListener, followCandle, MISSED_AT_MOST } from './live-candle.ts';
import { timeframeOf } from './timeframes.ts';
import type { Bar } from './udf-client.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 5, 1, 12);
const timeframe = timeframeOf('1min');

/** An exchange whose candles can be seen by a call and by a stream that can be lost. */
const exchange = {
  /** By the start of the candle, in minutes after the first: its close. */
  closes: [] as number[],
  answers: true,
  asked: [] as number[],
  listener: undefined as { onPush(push: object): void; onReset(moment: undefined): void } | undefined,
};

const rowOf = (minute: number) => {
  const close = String(exchange.closes[minute]);
  return [String(START + minute * MINUTE), close, close, close, close, '1'];
};
/** As the server's stream: the newest candle, and the one before it once more where a new one has begun. */
const push = (...minutes: number[]) => exchange.listener?.onPush({ data: minutes.map(rowOf) });
const newest = () => exchange.closes.length - 1;

async function answer(path: string): Promise<Response> {
  if (!exchange.answers) throw new TypeError('Failed to fetch');
  const count = Number(new URL(path, 'http://test').searchParams.get('countback'));
  exchange.asked.push(count);
  const minutes = exchange.closes.map((_, minute) => minute).slice(-count);
  const column = minutes.map((minute) => exchange.closes[minute]);
  const t = minutes.map((minute) => (START + minute * MINUTE) / 1_000);
  return Response.json({ s: 'ok', t, o: column, h: column, l: column, c: column, v: column.map(() => 1) });
}

let shown: Map<number, number>;
let lost: number;
let leave: () => void;

function follow(): void {
  const listener: CandleListener = {
    onBar: ({ time, close }: Bar) => shown.set((time - START) / MINUTE, close),
    onLost: () => {
      lost += 1;
    },
  };
  leave = followCandle({ symbol: 'BTC-USDT', timeframe, price: 'last' }, START + newest() * MINUTE, listener);
}

beforeEach(() => {
  vi.useFakeTimers({ now: START + 30_000 });
  vi.stubGlobal('fetch', vi.fn(answer));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(businessStream, 'subscribe').mockImplementation((_, listener) => {
    exchange.listener = listener as typeof exchange.listener;
    return () => undefined;
  });
  Object.assign(exchange, { closes: [10], answers: true, asked: [] });
  shown = new Map([[0, 10]]);
  lost = 0;
  follow();
  exchange.listener?.onReset(undefined);
  push(0);
});
afterEach(() => {
  // Whether the server answers is known to the whole process, which other files share.
  noteAnswered();
  leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Some minutes without network, in which the candle that was open goes on and others come after it. */
function lose(...closes: number[]): void {
  exchange.answers = false;
  exchange.closes = [closes[0] ?? 0, ...closes.slice(1)];
  vi.setSystemTime(START + newest() * MINUTE + 30_000);
}

async function comeBack(): Promise<void> {
  exchange.listener?.onReset(undefined);
  push(newest());
  await vi.advanceTimersByTimeAsync(0);
}

test('a stream that begins with the candle that is known asks for nothing more', () => {
  expect(exchange.asked).toEqual([]);
});

test('candles that closed while the stream was lost are read, and so is how the open one went on', async () => {
  lose(11, 20, 30, 40, 50);
  exchange.answers = true;
  await comeBack();
  expect([...shown]).toEqual(
    Object.entries({ 0: 11, 1: 20, 2: 30, 3: 40, 4: 50 }).map(([at, close]) => [Number(at), close]),
  );
  expect(exchange.asked).toHaveLength(1);
});

test('what the stream says while the missed candles are read comes after them', async () => {
  lose(11, 20, 30);
  await comeBack();
  exchange.closes = [11, 20, 35, 40];
  push(2, 3);
  expect([...shown]).toEqual([[0, 10]]);
  exchange.answers = true;
  await vi.advanceTimersByTimeAsync(120_000);
  expect([...shown.values()]).toEqual([11, 20, 35, 40]);
});

test('a stream that is lost again before all was read begins anew', async () => {
  lose(11, 20);
  await comeBack();
  exchange.closes = [11, 25, 30, 40];
  vi.setSystemTime(START + 3 * MINUTE + 30_000);
  exchange.answers = true;
  await comeBack();
  expect([...shown.values()]).toEqual([11, 25, 30, 40]);
});

test('who missed more than one answer brings is told to read everything again, once the exchange answers', async () => {
  lose(...Array.from({ length: MISSED_AT_MOST + 5 }, (_, at) => at));
  await comeBack();
  expect(lost).toBe(0);
  exchange.answers = true;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lost).toBe(1);
});

test('polling in place of a silent stream reads what was missed as well', async () => {
  leave();
  const stale = vi.spyOn(businessStream, 'isStale').mockReturnValue(true);
  lose(11, 20, 30);
  exchange.answers = true;
  leave = followCandle({ symbol: 'BTC-USDT', timeframe, price: 'last' }, START, {
    onBar: ({ time, close }) => shown.set((time - START) / MINUTE, close),
    onLost: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([...shown.values()]).toEqual([11, 20, 30]);
  stale.mockRestore();
});
