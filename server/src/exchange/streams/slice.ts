/** The websockets as a slice. */
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { MarketData } from '../market-data/service.ts';
import type { OrderCanceller } from './cancel-on-disconnect.ts';
import { type StreamAuthority, Streams } from './service.ts';

export interface StreamParts {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly marketData: MarketData;
  /** Sockets obey the same rules as calls. */
  readonly authority: StreamAuthority;
  readonly canceller: OrderCanceller;
}

export interface StreamsSlice extends Slice {
  readonly streams: Streams;
}

export function createStreamsSlice(
  { config, proxies, clock, moments, logger }: Platform,
  { catalogue, engine, marketData, authority, canceller }: StreamParts,
): StreamsSlice {
  const streams = new Streams({
    catalogue,
    marketData,
    feed: engine.sequencer,
    view: engine.exchange,
    views: engine.views,
    authority,
    orders: canceller,
    // Who switches the limit of requests off means those of sockets too.
    limits: config.RATE_LIMIT_PER_MINUTE === 0 ? { requestsPerSecond: Number.MAX_SAFE_INTEGER } : {},
    clock,
    moments,
    logger,
    addressOf: proxies.addressOf,
  });
  const routes: Slice['routes'] = (calls) => streams.serveRequests(calls);
  return { streams, routes, start: (http) => streams.attach(http.server), stop: () => streams.close() };
}
