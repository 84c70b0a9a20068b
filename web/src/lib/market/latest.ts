/**
 * The newest message of a public channel for each market that is on screen, straight from the stream. Each figure listens to
 * its own market, so a message redraws one number and not a table.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { publishSoon } from '../publish-clock.ts';
import { publicStream } from '../streams.ts';

interface Followed {
  readonly listeners: Set<() => void>;
  readonly leave: () => void;
}

export class Latest<Data extends { readonly instId: string }> {
  readonly #channel: string;
  readonly #newest = new Map<string, Data>();
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new Set<string>();

  constructor(channel: string) {
    this.#channel = channel;
  }

  readonly #publish = (): void => {
    const symbols = [...this.#changed];
    this.#changed.clear();
    for (const symbol of symbols) for (const listener of this.#followed.get(symbol)?.listeners ?? []) listener();
  };

  readonly receive = (data: Data): void => {
    this.#newest.set(data.instId, data);
    this.#changed.add(data.instId);
    publishSoon(this.#publish);
  };

  /** What is known of a market at this moment, without following it. */
  current(symbol: string): Data | undefined {
    return this.#newest.get(symbol);
  }

  /** However many figures of a market are on screen, the stream is asked once. */
  watch(symbol: string, listener: () => void): () => void {
    const followed = this.#followed.get(symbol) ?? this.#follow(symbol);
    this.#followed.set(symbol, followed);
    followed.listeners.add(listener);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size > 0) return;
      followed.leave();
      this.#followed.delete(symbol);
    };
  }

  #follow(symbol: string): Followed {
    const argument = { channel: this.#channel, instId: symbol };
    const leave = publicStream.subscribe<Data>(argument, { onPush: (push) => push.data.forEach(this.receive) });
    return { listeners: new Set(), leave };
  }
}

/** One figure of it, for what is not to be drawn again with the others. */
export function useLatestFigure<Data extends { readonly instId: string }, Name extends keyof Data>(
  latest: Latest<Data>,
  symbol: string,
  name: Name,
): Data[Name] | undefined {
  const subscribe = useCallback((listener: () => void) => latest.watch(symbol, listener), [latest, symbol]);
  const newest = () => latest.current(symbol)?.[name];
  return useSyncExternalStore(subscribe, newest, newest);
}

/** Undefined until the stream has spoken. */
export function useLatest<Data extends { readonly instId: string }>(
  latest: Latest<Data>,
  symbol: string,
): Data | undefined {
  const subscribe = useCallback((listener: () => void) => latest.watch(symbol, listener), [latest, symbol]);
  const newest = () => latest.current(symbol);
  return useSyncExternalStore(subscribe, newest, newest);
}
