import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelPublish, PUBLISH_EVERY_MS, publishSoon } from './publish-clock.ts';

const FRAME_MS = 16;
const page = { hidden: false };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_050 });
  vi.stubGlobal('document', page);
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, FRAME_MS));
  page.hidden = false;
});
afterEach(() => {
  vi.advanceTimersByTime(PUBLISH_EVERY_MS * 2);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const calls = (...mocks: ReturnType<typeof vi.fn>[]) => mocks.map(({ mock }) => mock.calls.length);

test('what waits is published after one beat, each once and in a frame of its own', () => {
  const [book, trades, gone] = [vi.fn(), vi.fn(), vi.fn()];
  for (const publish of [book, trades, book, gone]) publishSoon(publish);
  cancelPublish(gone);
  vi.advanceTimersByTime(150);
  expect(calls(book, trades, gone)).toEqual([0, 0, 0]);
  vi.advanceTimersByTime(FRAME_MS);
  expect(calls(book, trades, gone)).toEqual([1, 0, 0]);
  vi.advanceTimersByTime(FRAME_MS);
  expect(calls(book, trades, gone)).toEqual([1, 1, 0]);
  publishSoon(book);
  vi.advanceTimersByTime(PUBLISH_EVERY_MS + FRAME_MS);
  expect(calls(book, trades, gone)).toEqual([2, 1, 0]);
});

test('what left while it waited for its turn is not published', () => {
  const [book, trades] = [vi.fn(), vi.fn()];
  for (const publish of [book, trades]) publishSoon(publish);
  vi.advanceTimersByTime(150 + FRAME_MS);
  cancelPublish(trades);
  vi.advanceTimersByTime(PUBLISH_EVERY_MS);
  expect(calls(book, trades)).toEqual([1, 0]);
});

test('a page that is not looked at is published without frames, also what waited for one', () => {
  const [book, trades, title] = [vi.fn(), vi.fn(), vi.fn()];
  for (const publish of [book, trades]) publishSoon(publish);
  vi.advanceTimersByTime(150 + FRAME_MS);
  vi.stubGlobal('requestAnimationFrame', () => 1);
  page.hidden = true;
  publishSoon(title);
  vi.advanceTimersByTime(PUBLISH_EVERY_MS);
  expect(calls(book, trades, title)).toEqual([1, 1, 1]);
});
