/**
 * Sums of each client's trades of a day, and of what positions brought, which the overview reads at every poll instead of the rows.
 * They are made in the database, from the rows that the same run has written before: this part comes last.
 */
import { BUCKET_KEYS, HOUSE_TAKER, OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { CommittedBatch, PartRun, ProjectionPart } from '../../exchange/engine/service.ts';
import type { Statement } from '../../platform/database.ts';

const DAY_MS = 86_400_000;

/** The market maker has no overview. */
const ADD_TRADES = `
  INSERT INTO daily_trades (owner, day, market, side, lots, ticks_lots, fee)
  SELECT owner, time / ${DAY_MS}, market, side, sum(quantity), sum(price::numeric * quantity), sum(fee)
  FROM (
    SELECT maker_owner AS owner, time, market, 1 - taker_side AS side, quantity, price, maker_fee AS fee
    FROM trades WHERE id > $1 AND id <= $2
    UNION ALL
    SELECT taker_owner, time, market, taker_side, quantity, price, taker_fee FROM trades WHERE id > $1 AND id <= $2
  ) AS sides WHERE owner > ${HOUSE_TAKER} GROUP BY 1, 2, 3, 4
  ON CONFLICT (owner, day, market, side) DO UPDATE
  SET lots = daily_trades.lots + excluded.lots,
      ticks_lots = daily_trades.ticks_lots + excluded.ticks_lots, fee = daily_trades.fee + excluded.fee`;

const ADD_POSITIONS = `
  INSERT INTO daily_positions (owner, day, asset, amount)
  SELECT account / ${OWNER_KEYS}, time / ${DAY_MS}, account % ${BUCKET_KEYS}, sum(amount)
  FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
  WHERE batch > $1 AND batch <= $2 AND (reason LIKE 'position-%' OR reason = 'loss-covered')
        AND account / ${OWNER_KEYS} > ${HOUSE_TAKER}
  GROUP BY 1, 2, 3 HAVING sum(amount) <> 0
  ON CONFLICT (owner, day, asset) DO UPDATE SET amount = daily_positions.amount + excluded.amount`;

class DailyRun implements PartRun {
  /** The last batch and the last trade before the run. */
  #beforeBatch: number | undefined;
  #beforeTrade = 0;
  #lastBatch = 0;
  #lastTrade = 0;
  #movesPositions = false;

  add({ batch, events, counters }: CommittedBatch): void {
    if (this.#beforeBatch === undefined) {
      this.#beforeBatch = batch - 1;
      this.#beforeTrade = counters.lastTradeId - events.trades;
    }
    this.#lastBatch = batch;
    this.#lastTrade = counters.lastTradeId;
    this.#movesPositions ||= events.positions.count > 0 || events.objects.some(({ kind }) => kind === 'loss-covered');
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    if (this.#lastTrade > this.#beforeTrade)
      statements.push({ sql: ADD_TRADES, parameters: [this.#beforeTrade, this.#lastTrade] });
    if (this.#movesPositions && this.#beforeBatch !== undefined)
      statements.push({ sql: ADD_POSITIONS, parameters: [this.#beforeBatch, this.#lastBatch] });
    return statements;
  }
}

export const dailyTrades: ProjectionPart = {
  name: 'daily trades',
  tables: ['daily_trades', 'daily_positions'],
  start: () => new DailyRun(),
};
