import { expect, it, vi } from 'vitest';
import { createFillSound, type SoundDeps } from './fill-sound.ts';

type Listener = (event: MessageEvent<readonly string[]>) => void;

/** Pages of one browser. */
function browser() {
  const listeners: Listener[] = [];
  let isHeld = false;
  const locks = {
    async request(_name: string, _options: object, work: (lock: object | null) => Promise<void>) {
      if (isHeld) return work(null);
      isHeld = true;
      await work({}).finally(() => {
        isHeld = false;
      });
    },
  } as unknown as LockManager;
  const play = vi.fn(async () => undefined);
  const page = (mayPlay = true) => {
    let own: Listener | undefined;
    const channel: SoundDeps['channel'] = {
      // Each page hears all others.
      postMessage: (data: readonly string[]) => {
        for (const listener of listeners) if (listener !== own) listener({ data } as MessageEvent<readonly string[]>);
      },
      addEventListener: (_type: string, listener: unknown) => {
        own = listener as Listener;
        listeners.push(own);
      },
    };
    return createFillSound({ play, channel, locks, mayPlay: () => mayPlay });
  };
  return { page, play };
}

it('is played by one of five pages', () => {
  const { page, play } = browser();
  for (const one of Array.from({ length: 5 }, () => page())) one(['1']);
  expect(play).toHaveBeenCalledTimes(1);
});

it('is not played again by a page that hears of the order late', async () => {
  vi.useFakeTimers();
  const { page, play } = browser();
  const [seen, hidden] = [page(), page()];
  seen(['1']);
  await vi.advanceTimersByTimeAsync(60_000);
  hidden(['1']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(play).toHaveBeenCalledTimes(1);
  hidden(['1', '2']);
  expect(play).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it('is left to a page that may play', () => {
  const { page, play } = browser();
  const [untouched, used] = [page(false), page()];
  untouched(['1']);
  expect(play).not.toHaveBeenCalled();
  used(['1']);
  expect(play).toHaveBeenCalledTimes(1);
});
