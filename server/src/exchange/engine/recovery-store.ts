/** Reads the tables back into an empty exchange. */
import { SELF_TRADE_MODES, TIMES_IN_FORCE, TYPES } from '@cambist/core/events/event-record.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { TransferReason } from '@cambist/core/ledger/transfer.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import { readCopy } from '../../platform/copy-reader.ts';
import type { Database } from '../../platform/database.ts';

type Progress = {
  readonly batch: number;
  readonly last_order: number;
  readonly last_trade: number;
  readonly last_priority: number;
  readonly last_transfer: number;
};

type SettingsRow = {
  readonly maker_ppm: number;
  readonly taker_ppm: number;
  readonly maximum_open_orders: number;
  readonly maximum_untriggered_orders: number;
  readonly maximum_untriggered_orders_in_market: number;
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

async function restoreInstruments(database: Database, exchange: Exchange): Promise<void> {
  const assets = await database.query<Asset & Record<string, unknown>>('SELECT id, code, scale FROM assets');
  const byId = new Map(assets.map(({ id, code, scale }) => [id, { id, code, scale }]));
  for (const asset of byId.values()) exchange.restoreAsset(asset);
  // A market that has not traded nor been changed since the first version has no state yet.
  const markets = await database.query<MarketRow>(
    `SELECT markets.*, coalesce(last_price, 0) AS last_price, coalesce(mark_price, 0) AS mark_price,
            coalesce(halted, false) AS halted, coalesce(traded, false) AS traded, coalesce(delisted, false) AS delisted
     FROM markets LEFT JOIN market_states ON market = id ORDER BY id`,
  );
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
    };
    const { halted, traded, delisted } = row;
    exchange.restoreMarket(spec, { lastPrice: row.last_price, markPrice: row.mark_price, halted, traded, delisted });
  }
}

async function restoreLedger(database: Database, exchange: Exchange): Promise<void> {
  await readCopy(database.copyOut('SELECT account, amount FROM balances'), 2, (row) =>
    exchange.restoreBalance(row.number(0), row.amount(1)),
  );
  const fees = 'SELECT owner, maker_ppm::int8, taker_ppm::int8 FROM fee_rates';
  await readCopy(database.copyOut(fees), 3, (row) =>
    exchange.restoreFees(row.number(0), { makerPpm: row.number(1), takerPpm: row.number(2) }),
  );
  type Pending = {
    readonly id: number;
    readonly reason: TransferReason;
    readonly reference: number;
    readonly legs: string;
    readonly detail: string;
  };
  const pending = await database.query<Pending>(
    `SELECT id, reason, reference, detail,
            array_to_string(payers || receivers || amounts, ',') AS legs FROM pending_transfers`,
  );
  for (const { id, legs, ...facts } of pending) {
    const values = legs.split(',');
    const count = values.length / 3;
    const restored = Array.from({ length: count }, (_, index) => ({
      from: Number(values[index]),
      to: Number(values[count + index]),
      amount: BigInt(values[2 * count + index]!),
    }));
    exchange.restorePendingTransfer({ transferId: id, ...facts, legs: restored });
  }
  type Source = { readonly source: number; readonly sequence: number };
  for (const origin of await database.query<Source>('SELECT source, sequence FROM command_sources')) {
    exchange.restoreSequence(origin);
  }
}

interface Figures {
  readonly filledValue: bigint;
  readonly fee: bigint;
  readonly credit: bigint;
}

const NO_FIGURES: Figures = { filledValue: 0n, fee: 0n, credit: 0n };

/** Few open orders have traded, so what they traded is read apart. */
async function restoreOrders(database: Database, exchange: Exchange): Promise<void> {
  const figures = new Map<number, Figures>();
  const filled = 'SELECT id, filled_quote, fee, fee_credit FROM orders WHERE state = 0 AND filled > 0';
  await readCopy(database.copyOut(filled), 4, (row) => {
    figures.set(row.number(0), { filledValue: row.amount(1), fee: row.amount(2), credit: row.amount(3) });
  });
  const codes = 'side::int8 + type * 2 + time_in_force * 4 + self_trade * 16 + market::int8 * 64';
  const open = `SELECT id, owner, ${codes}, price, quantity, remaining, priority, created_at
    FROM orders WHERE state = 0 ORDER BY priority`;
  await readCopy(database.copyOut(open), 8, (row) => {
    const packed = row.number(2);
    const orderId = row.number(0);
    exchange.restoreOrder({
      orderId,
      owner: row.number(1),
      market: packed >> 6,
      side: (packed & 1) as Side,
      type: TYPES[(packed >> 1) & 1]!,
      timeInForce: TIMES_IN_FORCE[(packed >> 2) & 3]!,
      selfTrade: SELF_TRADE_MODES[(packed >> 4) & 3]!,
      price: row.number(3),
      quantity: row.number(4),
      remaining: row.number(5),
      priority: row.number(6),
      createdAt: row.number(7),
      ...(figures.get(orderId) ?? NO_FIGURES),
    });
  });
}

/** What the tables of other slices restore, after balances and orders. */
export type Restore = (exchange: Exchange) => Promise<void>;

/** Fills an empty exchange from the tables. @returns the batch that they hold */
export async function restoreFromTables(
  database: Database,
  exchange: Exchange,
  others: readonly Restore[],
): Promise<number> {
  const [progress] = await database.query<Progress>('SELECT * FROM projection');
  if (progress === undefined) throw new Error('The projection row is missing: the database is not one of ours');
  await restoreSettings(database, exchange);
  await restoreInstruments(database, exchange);
  await restoreLedger(database, exchange);
  await restoreOrders(database, exchange);
  for (const restore of others) await restore(exchange);
  exchange.restoreCounters({
    lastOrderId: progress.last_order,
    lastTradeId: progress.last_trade,
    lastPriority: progress.last_priority,
    lastTransferId: progress.last_transfer,
  });
  return progress.batch;
}
