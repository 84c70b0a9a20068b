/** Calls about pairs, favourites and coins, and the coins' icons. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import * as calls from '@cambist/contract/markets.ts';
import { platform } from '@cambist/contract/platform.ts';
import { type App, type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { iconOf } from './icons.ts';
import type { Catalogue, MarketInfo, MarketsService, PairFilter, PairType } from './service.ts';

interface Deps {
  readonly calls: CallServer;
  readonly app: App;
  readonly catalogue: Catalogue;
  readonly markets: MarketsService;
  readonly platform: AnswerOf<typeof platform>;
}

/** The coins that are not the main ones. */
const INNOVATION: readonly PairType[] = ['ETH', 'ALT'];

const typesOf = (asked: PairType | undefined): readonly PairType[] | undefined => asked && [asked];

const unknownPair = (name: string) =>
  new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair {{name}}. Name one of the list, such as BTC-USDT.', { name }));

function registerLists(server: CallServer, markets: MarketsService): void {
  const coinpair = async (filter: PairFilter) => ({ coinpair: await markets.pairs(filter) });

  // Of which types each list is where the client names none.
  for (const [call, types] of [
    [calls.homeCoins, undefined],
    [calls.marketAllPairs, undefined],
    [calls.mainCoins, ['MAIN']],
    [calls.innoCoins, INNOVATION],
    [calls.innCoins, INNOVATION],
  ] as const) {
    server.serve(call, ({ query, identity }) =>
      coinpair({ types: typesOf(query.pair_type) ?? types, clientId: identity?.clientId }),
    );
  }
  for (const [call, consensus] of [
    [calls.powCoins, 'pow'],
    [calls.posCoins, 'pos'],
  ] as const) {
    server.serve(call, ({ query, identity }) =>
      coinpair({ consensus, types: typesOf(query.pair_type), clientId: identity?.clientId }),
    );
  }
  server.serve(calls.allPairs, ({ query, identity }) =>
    coinpair({ types: typesOf(query.pair_type), clientId: identity?.clientId }),
  );
  server.serve(calls.perpetualPairs, ({ query, identity }) =>
    coinpair({ types: typesOf(query.pair_type), clientId: identity?.clientId, onlyPerpetuals: true }),
  );
  server.serve(calls.favorites, ({ identity }) => coinpair({ clientId: identity!.clientId, onlyFavorites: true }));
}

export function registerMarketRoutes({ calls: server, app, catalogue, markets, platform: facts }: Deps): void {
  server.serve(platform, () => facts);

  /** Answers a pair that the client names, or says that there is none. */
  const withPair = <Answer>(name: string, answer: (market: MarketInfo) => Answer): Answer | Refusal => {
    const market = catalogue.resolvePair(name);
    return market === undefined ? unknownPair(name) : answer(market);
  };

  registerLists(server, markets);

  server.serve(calls.addFavorite, async ({ query, identity }) => {
    const isFavorite = await markets.toggleFavorite(identity!.clientId, query.coin_id);
    if (isFavorite === undefined) return unknownPair(`with the coin_id ${query.coin_id}`);
    return { message: 'success' as const, favorite: isFavorite ? '1' : '' };
  });

  server.serve(calls.coinProfile, ({ query }) =>
    withPair(query.name, (market) => ({ coin_profile: markets.profile(market) })),
  );
  server.serve(calls.coinAssets, ({ query }) =>
    withPair(query.name, ({ spec, coin, name, image }) => ({
      coin: {
        id: spec.base.id,
        coin_base: coin,
        coin_quote: spec.quote.code,
        name,
        image,
        price_scale: spec.tickScale,
        quantity_scale: spec.lotScale,
      },
    })),
  );

  app.get<{ Params: { file: string } }>(
    '/icons/:file',
    { schema: { hide: true } as object },
    async (request, reply) => {
      const code = /^([a-z0-9]{1,12})\.svg$/.exec(request.params.file)?.[1];
      if (code === undefined) return reply.code(404).send();
      return reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(iconOf(code.toUpperCase()));
    },
  );
}
