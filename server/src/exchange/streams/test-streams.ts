/** Streams for tests, on the port of a test exchange. */
import { Moments } from '../../platform/moments.ts';
import { noOrders, openAuthority, type TestExchange } from '../market-data/test-exchange.ts';
import { Streams } from './service.ts';

type Parts = ConstructorParameters<typeof Streams>[0];

export function attachStreams(exchange: TestExchange, different: Partial<Parts> = {}): Streams {
  const { catalogue, marketData, engine, clock, logger, http } = exchange;
  const streams = new Streams({
    ...{ catalogue, marketData, clock, logger, feed: engine.sequencer, view: engine.exchange, views: engine.views },
    authority: openAuthority,
    orders: noOrders,
    moments: new Moments(),
    ...different,
  });
  streams.attach(http.server);
  return streams;
}
