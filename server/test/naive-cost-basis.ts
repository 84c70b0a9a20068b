/** What coins have cost, computed anew from the whole history in the plainest way: what the follower's rows must be. */
import type { Database } from '../src/platform/database.ts';

const DAY_MS = 86_400_000;

interface Sums {
  quantity: bigint;
  cost: bigint;
  realized: bigint;
  day: number;
  realizedOfDay: bigint;
}

export interface NaiveMarket {
  readonly id: number;
  readonly base: { readonly id: number; readonly scale: number };
  readonly quote: { readonly id: number; readonly scale: number };
  readonly tickScale: number;
  readonly lotScale: number;
}

type Trade = {
  readonly id: number;
  readonly market: number;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly buyer: number;
  readonly seller: number;
  readonly buyer_fee: bigint;
  readonly seller_fee: bigint;
  readonly time: number;
};

type Entry = {
  readonly after_trade: number;
  readonly reason: string;
  readonly owner: number;
  readonly asset: number;
  readonly amount: bigint;
};

/** The last trade, and the last place in the ledger, that count. */
export interface HistoryEnd {
  readonly trade: number;
  readonly batch: number;
  readonly sequence: number;
}

const EVERYTHING: HistoryEnd = { trade: Number.MAX_SAFE_INTEGER, batch: Number.MAX_SAFE_INTEGER, sequence: 0 };

/** How far the follower says that it has come. */
export async function followedTo(database: Database): Promise<HistoryEnd> {
  const [end] = await database.query<{ trade: number; batch: number; sequence: number }>(
    `SELECT position AS trade, batch, sequence::int8 FROM consumers, cost_basis_progress WHERE name = 'cost-basis'`,
  );
  if (end === undefined) throw new Error('The follower has not begun');
  return end;
}

/** Markets against one money alone. Before a market's first trade its price is the one at which its history ends. */
export async function naiveCostBasis(
  database: Database,
  markets: readonly NaiveMarket[],
  end: HistoryEnd = EVERYTHING,
): Promise<string[]> {
  const seeds = await database.query<{ market: number; price: bigint }>(
    'SELECT market::int8, price::numeric FROM history_seeds',
  );
  const trades = await database.query<Trade>(
    `SELECT id, market::int8, price::numeric, quantity::numeric, time,
            CASE taker_side WHEN 0 THEN taker_owner ELSE maker_owner END AS buyer,
            CASE taker_side WHEN 0 THEN maker_owner ELSE taker_owner END AS seller,
            (CASE taker_side WHEN 0 THEN taker_fee ELSE maker_fee END)::numeric AS buyer_fee,
            (CASE taker_side WHEN 0 THEN maker_fee ELSE taker_fee END)::numeric AS seller_fee
     FROM trades WHERE id <= $1 ORDER BY id`,
    [end.trade],
  );
  // Each posting of the view by itself: within a client the two of a transfer between wallets follow each other.
  const entries = await database.query<Entry>(
    `SELECT entry.reason, owner, asset, sum(amount)::numeric AS amount, after_trade
     FROM ledger_entries AS entry JOIN ledger_transactions USING (batch, sequence)
     WHERE wallet <> 4 AND entry.reason NOT IN ('order-holds', 'trade') AND (batch, sequence) <= ($1::int8, $2::int8)
     GROUP BY batch, sequence, entry.reason, owner, asset, after_trade ORDER BY batch, sequence`,
    [end.batch, end.sequence],
  );
  const sums = new Map<string, Sums>();
  const last = new Map(seeds.map(({ market, price }) => [market, price]));
  const at = (owner: number, asset: number) => {
    const key = `${owner} ${asset}`;
    const found = sums.get(key) ?? { quantity: 0n, cost: 0n, realized: 0n, day: 0, realizedOfDay: 0n };
    sums.set(key, found);
    return found;
  };
  const power = (exponent: number) => 10n ** BigInt(exponent);
  const leave = (of: Sums, units: bigint) => {
    const taken = units === of.quantity ? of.cost : (of.cost * units) / of.quantity;
    of.quantity -= units;
    of.cost -= taken;
    return taken;
  };
  const move = ({ owner, asset, amount }: Entry) => {
    const market = markets.find(({ base }) => base.id === asset);
    if (owner <= 101 || market === undefined || amount === 0n) return;
    const of = at(owner, asset);
    if (amount < 0n) {
      leave(of, -amount);
      return;
    }
    const price = last.get(market.id)!;
    of.quantity += amount;
    of.cost += (amount * price * power(market.quote.scale - market.tickScale)) / power(market.base.scale);
  };
  const waiting = [...entries];
  for (const trade of trades) {
    while (waiting.length > 0 && waiting[0]!.after_trade < trade.id) move(waiting.shift()!);
    const { base, quote, tickScale, lotScale } = markets.find(({ id }) => id === trade.market)!;
    const units = trade.quantity * power(base.scale - lotScale);
    const value = trade.price * trade.quantity * power(quote.scale - tickScale - lotScale);
    if (trade.seller > 101) {
      const of = at(trade.seller, base.id);
      const gained = value - trade.seller_fee - leave(of, units);
      const day = Math.floor(trade.time / DAY_MS);
      of.realized += gained;
      of.realizedOfDay = of.day === day ? of.realizedOfDay + gained : gained;
      of.day = day;
    }
    if (trade.buyer > 101) {
      const of = at(trade.buyer, base.id);
      of.quantity += units - trade.buyer_fee;
      of.cost += value;
    }
    last.set(trade.market, trade.price);
  }
  for (const entry of waiting) move(entry);
  return [...sums].map(([key, of]) => `${key} ${Object.values(of).join(' ')}`).sort();
}

/** The follower's rows in the same words. */
export async function storedCostBasis(database: Database): Promise<string[]> {
  const rows = await database.query<{ row: string }>(
    `SELECT concat_ws(' ', owner, asset, quantity, cost, realized, day, realized_of_day) AS row FROM cost_basis
     WHERE NOT unpriced AND unpriced_sale_day = -1`,
  );
  return rows.map(({ row }) => row).sort();
}
