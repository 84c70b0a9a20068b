/** Sums of each client's trades of a day, and of what positions brought, which the overview reads at every poll instead of the rows. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { Move, type PositionRecords } from '@cambist/core/events/position-records.ts';
import { accountParts, isClient } from '@cambist/core/ledger/account.ts';
import type { CommittedBatch, PartRun, ProjectionPart } from '../../exchange/engine/service.ts';
import { Columns } from '../../exchange/engine/service.ts';
import type { Statement } from '../../platform/database.ts';
import { KeyedSums } from './keyed-sums.ts';

const DAY_MS = 86_400_000;
/** More than ids of markets and of assets reach. */
const MARKETS = 2 ** 15;
const ASSETS = 2 ** 14;
const SIDES = 2;

/** Sums of an owner, a market and a side. */
const LOTS = 0;
const TICKS_LOTS = 1;
const FEE = 2;
/** The one sum of an owner and an asset. */
const AMOUNT = 0;
/** An owner's own. */
const OWN_MOVES = [Move.AVAILABLE, Move.HELD, Move.MARGIN];

interface Day {
  /** Days since 1970, UTC. */
  readonly number: number;
  readonly trades: KeyedSums;
  readonly positions: KeyedSums;
}

/** Runs that were written: their memory is used again. */
const spare: DailyRun[] = [];

class DailyRun implements PartRun {
  /** Almost always one. */
  readonly #days: Day[] = [];
  /** Those of earlier runs, whose memory is used again. */
  readonly #unused: Day[] = [];
  /** An amount on its way, because an int64 that travels through a call may become an object. */
  readonly #units = new BigInt64Array(1);
  readonly #words = new Int32Array(this.#units.buffer);

  add({ events }: CommittedBatch): void {
    events.read(this);
  }

  trade(events: EventBatch, at: number): void {
    const { trades } = this.#dayOf(events.time(at));
    const [market, price, lots, takerSide] = [
      events.market(at),
      events.price(at),
      events.lots(at),
      events.takerSide(at),
    ];
    this.#units[0] = BigInt.asIntN(64, BigInt(price | 0) * BigInt(lots | 0));
    const { words } = events;
    this.#addTrade(trades, tradeKey(events.owner(at), market, 1 - takerSide), lots, words, events.makerFeeWord(at));
    this.#addTrade(trades, tradeKey(events.takerOwner(at), market, takerSide), lots, words, events.takerFeeWord(at));
  }

  position(records: PositionRecords, at: number): void {
    const owner = records.owner(at);
    if (!isClient(owner)) return;
    const { positions } = this.#dayOf(records.time(at));
    const sum = positions.of(owner * ASSETS + records.asset(at));
    for (const move of OWN_MOVES) positions.addInt64(sum, AMOUNT, records.words, records.figureWord(at, move));
  }

  object(event: ObjectEvent): void {
    if (event.kind !== 'loss-covered') return;
    const { positions } = this.#dayOf(event.time);
    for (const { account, amount } of event.moves) {
      const { owner, asset } = accountParts(account);
      if (!isClient(owner)) continue;
      this.#units[0] = amount;
      positions.addInt64(positions.of(owner * ASSETS + asset), AMOUNT, this.#words, 0);
    }
  }

  #addTrade(trades: KeyedSums, key: number, lots: number, words: Int32Array, fee: number): void {
    const sums = trades.of(key);
    trades.add(sums, LOTS, lots);
    trades.addInt64(sums, TICKS_LOTS, this.#words, 0);
    trades.addInt64(sums, FEE, words, fee);
  }

  #dayOf(time: number): Day {
    const number = Math.floor(time / DAY_MS);
    for (const day of this.#days) if (day.number === number) return day;
    const { trades, positions } = this.#unused.pop() ?? { trades: new KeyedSums(3), positions: new KeyedSums(1) };
    const day = { number, trades, positions };
    this.#days.push(day);
    return day;
  }

  release(): void {
    for (const day of this.#days.splice(0)) {
      day.trades.clear();
      day.positions.clear();
      this.#unused.push(day);
    }
    spare.push(this);
  }

  statements(): Statement[] {
    return [...this.#tradeStatements(), ...this.#positionStatements()];
  }

  #positionStatements(): Statement[] {
    const rows = new Columns(4);
    for (const { number, positions } of this.#days) {
      for (const key of positions.keys()) {
        const amount = positions.total(positions.of(key), AMOUNT);
        if (amount !== 0) rows.add(Math.floor(key / ASSETS), number, key % ASSETS, amount);
      }
    }
    if (rows.size === 0) return [];
    return [
      {
        sql: `INSERT INTO daily_positions (owner, day, asset, amount)
              SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::numeric[])
              ON CONFLICT (owner, day, asset) DO UPDATE SET amount = daily_positions.amount + excluded.amount`,
        parameters: rows.parameters(),
      },
    ];
  }

  #tradeStatements(): Statement[] {
    const rows = new Columns(7);
    for (const { number, trades } of this.#days) {
      for (const key of trades.keys()) {
        const pair = Math.floor(key / SIDES);
        const at = trades.of(key);
        const figures = [trades.total(at, LOTS), trades.total(at, TICKS_LOTS), trades.total(at, FEE)] as const;
        rows.add(Math.floor(pair / MARKETS), number, pair % MARKETS, key % SIDES, ...figures);
      }
    }
    if (rows.size === 0) return [];
    return [
      {
        sql: `INSERT INTO daily_trades (owner, day, market, side, lots, ticks_lots, fee)
              SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::smallint[], $5::bigint[],
                                   $6::numeric[], $7::numeric[])
              ON CONFLICT (owner, day, market, side) DO UPDATE
              SET lots = daily_trades.lots + excluded.lots,
                  ticks_lots = daily_trades.ticks_lots + excluded.ticks_lots, fee = daily_trades.fee + excluded.fee`,
        parameters: rows.parameters(),
      },
    ];
  }
}

const tradeKey = (owner: number, market: number, side: number): number => (owner * MARKETS + market) * SIDES + side;

export const dailyTrades: ProjectionPart = {
  name: 'daily trades',
  tables: ['daily_trades', 'daily_positions'],
  start: () => spare.pop() ?? new DailyRun(),
};
