/** Trades one after another, and the last price at a moment: for whoever follows them. */
import type { Database } from '../../platform/database.ts';

export type TradeRow = {
  readonly id: number;
  readonly market: number;
  /** Ticks. */
  readonly price: number;
  /** Lots. */
  readonly quantity: number;
  readonly taker_side: number;
  readonly maker_owner: number;
  readonly taker_owner: number;
  /** In the asset that the side receives. */
  readonly maker_fee: bigint;
  readonly taker_fee: bigint;
  readonly time: number;
};

/** The price of a market as some trade left it. */
export interface PriceWish {
  readonly market: number;
  readonly trade: number;
}

/** Its id, its price in ticks, and when it was, ms. */
export type LastTrade = { readonly trade: number; readonly price: number; readonly time: number };

const BETWEEN = `
  SELECT id, market, price, quantity, taker_side, maker_owner, taker_owner, maker_fee::numeric, taker_fee::numeric, time
  FROM trades WHERE id > $1 AND id <= $2 AND (maker_owner > $3 OR taker_owner > $3) ORDER BY id`;

const PRICES = `
  SELECT wish.number, last.id AS trade, last.price, last.time
  FROM unnest($1::smallint[], $2::bigint[]) WITH ORDINALITY AS wish (market, trade, number), LATERAL (
    SELECT id, price, time FROM trades
    WHERE trades.market = wish.market AND id <= wish.trade ORDER BY trades.market DESC, id DESC LIMIT 1
  ) AS last`;

export function createTradeStore({ patient }: Database) {
  return {
    async lastId(): Promise<number> {
      const [row] = await patient.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM trades');
      return row?.id ?? 0;
    },
    /** After one id up to another, oldest first. @param above trades between owners up to this one are left out */
    tradesBetween(after: number, to: number, above: number): Promise<TradeRow[]> {
      return patient.query<TradeRow>(BETWEEN, [after, to, above]);
    },
    /** The last trade of each wish's market up to its trade, in their order; undefined where there was none. */
    async lastPrices(wishes: readonly PriceWish[]): Promise<(LastTrade | undefined)[]> {
      if (wishes.length === 0) return [];
      const rows = await patient.query<LastTrade & { number: number }>(PRICES, [
        wishes.map(({ market }) => market),
        wishes.map(({ trade }) => trade),
      ]);
      const found = new Map(rows.map((row) => [row.number, row]));
      return wishes.map((_, index) => found.get(index + 1));
    },
  };
}

export type TradeStore = ReturnType<typeof createTradeStore>;
