/** The websockets as a slice. */
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { MarketData } from '../market-data/service.ts';
import { createStreams, type StreamAuthority, type Streams } from './service.ts';

export interface StreamParts {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly marketData: MarketData;
  /** Sockets obey the same rules as calls. */
  readonly authority: StreamAuthority;
}

export interface StreamsSlice extends Slice {
  readonly streams: Streams;
}

export function createStreamsSlice(
  { proxies, clock, logger }: Platform,
  { catalogue, engine, marketData, authority }: StreamParts,
): StreamsSlice {
  const streams = createStreams({
    catalogue,
    marketData,
    feed: engine.sequencer,
    view: engine.exchange,
    views: engine.views,
    authority,
    clock,
    logger,
    addressOf: proxies.addressOf,
  });
  return { streams, start: (http) => streams.attach(http.server), stop: () => streams.close() };
}
