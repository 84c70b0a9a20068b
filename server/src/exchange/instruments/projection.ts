/** Assets, markets and their states, default fees and limits, as the tables take them from the events. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { OrderLimits } from '@cambist/core/instruments/commands.ts';
import type { MarketState } from '@cambist/core/instruments/market-state.ts';
import type { Asset, MarketSpec, PerpetualSpec } from '@cambist/core/money/market.ts';
import type { ReferenceState } from '@cambist/core/money/reference-price.ts';
import { hasPassed, NONE_PASSED, type PassedPrices } from '@cambist/core/orders/conditional/passed-prices.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { restoreInstruments } from './recovery-store.ts';

class InstrumentRun implements PartRun {
  readonly #assets = new Map<number, Asset>();
  readonly #specs = new Map<number, MarketSpec>();
  readonly #states = new Map<number, MarketState>();
  /** Last prices of markets that traded. */
  readonly #lastPrices = new Map<number, number>();
  /** Those that were told before the first trade of the run, or without one. */
  readonly #toldPrices = new Map<number, number>();
  readonly #markPrices = new Map<number, number>();
  /** Of spot markets, where it has changed. */
  readonly #references = new Map<number, ReferenceState>();
  /** What the last price has passed, where that has changed. */
  readonly #passed = new Map<number, PassedPrices>();
  #fees: { readonly makerPpm: number; readonly takerPpm: number } | undefined;
  #limits: OrderLimits | undefined;

  add({ events }: CommittedBatch): void {
    // Where there are objects the order counts; mostly there are none.
    if (events.objects.length > 0) events.read(this);
    else events.readTrades(this);
  }

  trade(events: EventBatch, at: number): void {
    const market = events.market(at);
    this.#lastPrices.set(market, events.price(at));
    const reference = events.reference(at);
    if (reference > 0) this.#references.set(market, { reference, referenceAt: events.time(at) });
  }

  object(event: ObjectEvent): void {
    switch (event.kind) {
      case 'asset-listed':
        this.#assets.set(event.asset.id, event.asset);
        break;
      case 'market-changed':
        this.#specs.set(event.market.id, event.market);
        this.#setState(event.market.id, event.state);
        break;
      case 'market-paused':
      case 'market-resumed':
        this.#setState(event.market, event.state);
        break;
      case 'triggers-passed':
        this.#passed.set(event.market, event.passed);
        break;
      case 'reference-price-set': {
        const hasTraded = this.#lastPrices.has(event.market);
        (hasTraded ? this.#lastPrices : this.#toldPrices).set(event.market, event.price);
        const { reference, referenceAt } = event;
        if (reference !== undefined && referenceAt !== undefined)
          this.#references.set(event.market, { reference, referenceAt });
        break;
      }
      case 'reference-told':
        this.#references.set(event.market, event);
        break;
      case 'mark-price-set':
        this.#markPrices.set(event.market, event.price);
        break;
      case 'perpetual-priced':
        this.#markPrices.set(event.market, event.mark);
        break;
      case 'default-fees-set':
        this.#fees = event;
        break;
      case 'limits-set':
        this.#limits = event.limits;
    }
  }

  /** A state knows what was traded and told before. */
  #setState(market: number, state: MarketState): void {
    this.#states.set(market, state);
    const known = [this.#lastPrices, this.#toldPrices, this.#markPrices, this.#references, this.#passed];
    for (const changes of known) changes.delete(market);
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    if (this.#assets.size > 0) statements.push(insertAssets([...this.#assets.values()]));
    if (this.#specs.size > 0) {
      const specs = [...this.#specs.values()];
      statements.push(upsertMarkets(specs));
      for (const { id, perpetual } of specs) if (perpetual) statements.push(...upsertPerpetual(id, perpetual));
    }
    if (this.#states.size > 0) statements.push(upsertStates(this.#states));
    // What was traded after it was told is the last price.
    if (this.#toldPrices.size > 0) statements.push(updatePrices('last_price', '', this.#toldPrices));
    if (this.#lastPrices.size > 0) statements.push(updatePrices('last_price', ', traded = true', this.#lastPrices));
    if (this.#markPrices.size > 0) statements.push(updatePrices('mark_price', '', this.#markPrices));
    if (this.#references.size > 0) statements.push(updateReferences(this.#references));
    if (this.#passed.size > 0) statements.push(updatePassed(this.#passed));
    if (this.#fees !== undefined) statements.push(upsertFees(this.#fees));
    if (this.#limits !== undefined) statements.push(upsertLimits(this.#limits));
    return statements;
  }
}

function insertAssets(assets: readonly Asset[]): Statement {
  const rows = new Columns(3);
  for (const { id, code, scale } of assets) rows.add(id, code, scale);
  return {
    sql: 'INSERT INTO assets (id, code, scale) SELECT * FROM unnest($1::smallint[], $2::text[], $3::smallint[])',
    parameters: rows.parameters(),
  };
}

/** Scales are written once; what may change are the limits. */
function upsertMarkets(specs: readonly MarketSpec[]): Statement {
  const rows = new Columns(10);
  for (const spec of specs) {
    const scales = [spec.tickScale, spec.lotScale] as const;
    const limits = [spec.minimumLots, spec.maximumLots, spec.minimumNotional, spec.priceBandPpm] as const;
    rows.add(spec.id, spec.symbol, spec.base.id, spec.quote.id, ...scales, ...limits);
  }
  return {
    sql: `INSERT INTO markets (id, symbol, base, quote, tick_scale, lot_scale, minimum_lots, maximum_lots,
                               minimum_notional, price_band_ppm)
          SELECT * FROM unnest($1::smallint[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[],
                               $6::smallint[], $7::bigint[], $8::bigint[], $9::numeric[], $10::integer[])
          ON CONFLICT (id) DO UPDATE
          SET minimum_lots = excluded.minimum_lots, maximum_lots = excluded.maximum_lots,
              minimum_notional = excluded.minimum_notional, price_band_ppm = excluded.price_band_ppm`,
    parameters: rows.parameters(),
  };
}

const PERPETUAL = [
  ...['maker_ppm', 'taker_ppm', 'mark_clamp_ppm', 'funding_interval_ms', 'interest_ppb', 'damp_ppb', 'cap_ppb'],
  'impact_value',
];

function upsertPerpetual(market: number, perpetual: PerpetualSpec): Statement[] {
  const { makerPpm, takerPpm, tiers, markClampPpm, funding } = perpetual;
  const { intervalMs, interestPpb, dampPpb, capPpb, impactValue } = funding;
  const rows = new Columns(5);
  for (const [index, { maximumNotional, maximumLeverage, maintenancePpm }] of tiers.entries()) {
    rows.add(market, index, maximumNotional, maximumLeverage, maintenancePpm);
  }
  return [
    {
      sql: `INSERT INTO perpetual_markets (market, ${PERPETUAL.join(', ')})
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (market) DO UPDATE SET ${PERPETUAL.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      parameters: [
        ...[market, makerPpm, takerPpm, markClampPpm, intervalMs, interestPpb, dampPpb, capPpb],
        impactValue,
      ],
    },
    { sql: 'DELETE FROM risk_tiers WHERE market = $1', parameters: [market] },
    {
      sql: `INSERT INTO risk_tiers (market, tier, maximum_notional, maximum_leverage, maintenance_ppm)
            SELECT * FROM unnest($1::smallint[], $2::smallint[], $3::bigint[], $4::smallint[], $5::integer[])`,
      parameters: rows.parameters(),
    },
  ];
}

function upsertStates(states: ReadonlyMap<number, MarketState>): Statement {
  const rows = new Columns(14);
  for (const [market, state] of states) {
    const { lastPrice, markPrice, halted, traded, delisted, reference, referenceAt } = state;
    const pause = [state.pause?.until ?? 0, state.pause?.reference ?? 0, state.pause?.isAbove ?? false] as const;
    rows.add(
      market,
      lastPrice,
      markPrice,
      halted,
      traded,
      delisted,
      reference,
      referenceAt,
      ...pause,
      passedText(state.passed),
      state.delisting?.closeOnlyAt ?? 0,
      state.delisting?.endsAt ?? 0,
    );
  }
  return {
    sql: `INSERT INTO market_states (market, last_price, mark_price, halted, traded, delisted, reference, reference_at,
                                     paused_until, paused_at_reference, paused_above, passed_prices,
                                     close_only_at, ends_at)
          SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::boolean[], $6::boolean[],
                               $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::boolean[],
                               $12::text[], $13::bigint[], $14::bigint[])
          ON CONFLICT (market) DO UPDATE
          SET last_price = excluded.last_price, mark_price = excluded.mark_price, halted = excluded.halted,
              traded = excluded.traded, delisted = excluded.delisted, reference = excluded.reference,
              reference_at = excluded.reference_at, paused_until = excluded.paused_until,
              paused_at_reference = excluded.paused_at_reference, paused_above = excluded.paused_above,
              passed_prices = excluded.passed_prices, close_only_at = excluded.close_only_at,
              ends_at = excluded.ends_at`,
    parameters: rows.parameters(),
  };
}

function updatePrices(column: string, more: string, prices: ReadonlyMap<number, number>): Statement {
  return {
    sql: `UPDATE market_states SET ${column} = n.price${more}
          FROM unnest($1::smallint[], $2::bigint[]) AS n (market, price) WHERE market_states.market = n.market`,
    parameters: [[...prices.keys()], [...prices.values()]],
  };
}

function updateReferences(references: ReadonlyMap<number, ReferenceState>): Statement {
  const rows = new Columns(3);
  for (const [market, { reference, referenceAt }] of references) rows.add(market, reference, referenceAt);
  return {
    sql: `UPDATE market_states SET reference = n.reference, reference_at = n.reference_at
          FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS n (market, reference, reference_at)
          WHERE market_states.market = n.market`,
    parameters: rows.parameters(),
  };
}

/** Empty for none, so that most rows are short. */
const passedText = (passed: PassedPrices = NONE_PASSED) => (hasPassed(passed) ? JSON.stringify(passed) : '');

function updatePassed(passed: ReadonlyMap<number, PassedPrices>): Statement {
  return {
    sql: `UPDATE market_states SET passed_prices = n.passed_prices
          FROM unnest($1::smallint[], $2::text[]) AS n (market, passed_prices) WHERE market_states.market = n.market`,
    parameters: [[...passed.keys()], [...passed.values()].map(passedText)],
  };
}

/** The first of the two to be set makes the row; the other's columns are those of an exchange before any command. */
function upsertFees({ makerPpm, takerPpm }: { readonly makerPpm: number; readonly takerPpm: number }): Statement {
  return {
    sql: `INSERT INTO exchange_settings (maker_ppm, taker_ppm, maximum_open_orders, maximum_untriggered_orders,
                                         maximum_untriggered_orders_in_market)
          VALUES ($1, $2, 4194304, 50, 20000)
          ON CONFLICT (only_row) DO UPDATE SET maker_ppm = excluded.maker_ppm, taker_ppm = excluded.taker_ppm`,
    parameters: [makerPpm, takerPpm],
  };
}

function upsertLimits(limits: OrderLimits): Statement {
  const { maximumOpenOrdersPerOwner, maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket } = limits;
  return {
    sql: `INSERT INTO exchange_settings (maker_ppm, taker_ppm, maximum_open_orders, maximum_untriggered_orders,
                                         maximum_untriggered_orders_in_market)
          VALUES (0, 0, $1, $2, $3)
          ON CONFLICT (only_row) DO UPDATE
          SET maximum_open_orders = excluded.maximum_open_orders,
              maximum_untriggered_orders = excluded.maximum_untriggered_orders,
              maximum_untriggered_orders_in_market = excluded.maximum_untriggered_orders_in_market`,
    parameters: [maximumOpenOrdersPerOwner, maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket],
  };
}

export const instrumentProjection: ProjectionPart = {
  name: 'instruments',
  tables: ['assets', 'markets', 'perpetual_markets', 'risk_tiers', 'market_states', 'exchange_settings'],
  start: () => new InstrumentRun(),
  restore: restoreInstruments,
};
