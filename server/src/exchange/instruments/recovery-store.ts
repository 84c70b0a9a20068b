/** Assets, markets, default fees and limits, back from their tables. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { Asset, PerpetualSpec } from '@cambist/core/money/market.ts';
import type { PassedPrices } from '@cambist/core/orders/conditional/passed-prices.ts';
import type { Database } from '../../platform/database.ts';

type SettingsRow = {
  readonly maker_ppm: number;
  readonly taker_ppm: number;
  readonly maximum_open_orders: number;
  readonly maximum_untriggered_orders: number;
  readonly maximum_untriggered_orders_in_market: number;
};

type PerpetualRow = {
  readonly market: number;
  readonly maker_ppm: number;
  readonly taker_ppm: number;
  readonly mark_clamp_ppm: number;
  readonly funding_interval_ms: number;
  readonly interest_ppb: number;
  readonly damp_ppb: number;
  readonly cap_ppb: number;
  readonly impact_value: bigint;
};

type TierRow = {
  readonly market: number;
  readonly maximum_notional: bigint;
  readonly maximum_leverage: number;
  readonly maintenance_ppm: number;
};

type MarketRow = {
  readonly id: number;
  readonly symbol: string;
  readonly base: number;
  readonly quote: number;
  readonly tick_scale: number;
  readonly lot_scale: number;
  readonly minimum_lots: number;
  readonly maximum_lots: number;
  readonly minimum_notional: bigint;
  readonly price_band_ppm: number;
  readonly last_price: number;
  readonly mark_price: number;
  readonly halted: boolean;
  readonly traded: boolean;
  readonly delisted: boolean;
  readonly reference: number;
  readonly reference_at: number;
  readonly paused_until: number;
  readonly paused_at_reference: number;
  readonly paused_above: boolean;
  readonly passed_prices: string;
  readonly close_only_at: number;
  readonly ends_at: number;
};

async function restoreSettings(database: Database, exchange: Exchange): Promise<void> {
  const [row] = await database.query<SettingsRow>('SELECT * FROM exchange_settings');
  if (row === undefined) return;
  exchange.restoreDefaults({
    fees: { makerPpm: row.maker_ppm, takerPpm: row.taker_ppm },
    limits: {
      maximumOpenOrdersPerOwner: row.maximum_open_orders,
      maximumUntriggeredOrdersPerOwner: row.maximum_untriggered_orders,
      maximumUntriggeredOrdersPerMarket: row.maximum_untriggered_orders_in_market,
    },
  });
}

/** What perpetuals have beside spot markets, by market. */
async function readPerpetuals(database: Database): Promise<ReadonlyMap<number, PerpetualSpec>> {
  const rows = await database.query<PerpetualRow>(
    `SELECT market, maker_ppm, taker_ppm, mark_clamp_ppm, funding_interval_ms, interest_ppb, damp_ppb, cap_ppb,
            impact_value::numeric FROM perpetual_markets`,
  );
  const tiers = await database.query<TierRow>(
    `SELECT market, maximum_notional::numeric, maximum_leverage, maintenance_ppm FROM risk_tiers ORDER BY market, tier`,
  );
  const specOf = ({ market, ...row }: PerpetualRow): PerpetualSpec => ({
    makerPpm: row.maker_ppm,
    takerPpm: row.taker_ppm,
    markClampPpm: row.mark_clamp_ppm,
    funding: {
      intervalMs: row.funding_interval_ms,
      interestPpb: row.interest_ppb,
      dampPpb: row.damp_ppb,
      capPpb: row.cap_ppb,
      impactValue: row.impact_value,
    },
    tiers: tiers
      .filter((tier) => tier.market === market)
      .map(({ maximum_notional, maximum_leverage, maintenance_ppm }) => ({
        maximumNotional: maximum_notional,
        maximumLeverage: maximum_leverage,
        maintenancePpm: maintenance_ppm,
      })),
  });
  return new Map(rows.map((row) => [row.market, specOf(row)]));
}

const pauseOf = ({ paused_until: until, paused_at_reference: reference, paused_above: isAbove }: MarketRow) =>
  until === 0 ? undefined : { until, reference, isAbove };

const passedOf = ({ passed_prices: text }: MarketRow) => (text === '' ? undefined : (JSON.parse(text) as PassedPrices));

const delistingOf = ({ close_only_at: closeOnlyAt, ends_at: endsAt }: MarketRow) =>
  endsAt === 0 ? undefined : { closeOnlyAt, endsAt };

/** Call it first: everything else is counted in these. */
export async function restoreInstruments(database: Database, exchange: Exchange): Promise<void> {
  await restoreSettings(database, exchange);
  const assets = await database.query<Asset & Record<string, unknown>>('SELECT id, code, scale FROM assets');
  const byId = new Map(assets.map(({ id, code, scale }) => [id, { id, code, scale }]));
  for (const asset of byId.values()) exchange.restoreAsset(asset);
  // A market that has not traded nor been changed since the first version has no state yet.
  const markets = await database.query<MarketRow>(
    `SELECT markets.*, coalesce(last_price, 0) AS last_price, coalesce(mark_price, 0) AS mark_price,
            coalesce(halted, false) AS halted, coalesce(traded, false) AS traded, coalesce(delisted, false) AS delisted,
            coalesce(reference, 0) AS reference, coalesce(reference_at, 0) AS reference_at,
            coalesce(paused_until, 0) AS paused_until, coalesce(paused_at_reference, 0) AS paused_at_reference,
            coalesce(paused_above, false) AS paused_above, coalesce(passed_prices, '') AS passed_prices,
            coalesce(close_only_at, 0) AS close_only_at, coalesce(ends_at, 0) AS ends_at
     FROM markets LEFT JOIN market_states ON market = id ORDER BY id`,
  );
  const perpetuals = await readPerpetuals(database);
  for (const row of markets) {
    const spec = {
      id: row.id,
      symbol: row.symbol,
      base: byId.get(row.base)!,
      quote: byId.get(row.quote)!,
      tickScale: row.tick_scale,
      lotScale: row.lot_scale,
      minimumLots: row.minimum_lots,
      maximumLots: row.maximum_lots,
      minimumNotional: row.minimum_notional,
      priceBandPpm: row.price_band_ppm,
      perpetual: perpetuals.get(row.id),
    };
    const { halted, traded, delisted, reference } = row;
    const prices = { lastPrice: row.last_price, markPrice: row.mark_price, reference, referenceAt: row.reference_at };
    const rare = { pause: pauseOf(row), passed: passedOf(row), delisting: delistingOf(row) };
    exchange.restoreMarket(spec, { ...prices, halted, traded, delisted, ...rare });
  }
}
