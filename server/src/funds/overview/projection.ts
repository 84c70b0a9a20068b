/** Sums of each client's trades of a day, and of what positions brought, which the overview reads at every poll instead of the rows. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { PositionRecords } from '@cambist/core/events/position-records.ts';
import { accountParts, isClient } from '@cambist/core/ledger/account.ts';
import type { CommittedBatch, PartRun, ProjectionPart } from '../../exchange/engine/service.ts';
import { Columns } from '../../exchange/engine/service.ts';
import type { Statement } from '../../platform/database.ts';

const DAY_MS = 86_400_000;

interface DaySum {
  lots: number;
  ticksLots: bigint;
  fee: bigint;
}

class DailyRun implements PartRun {
  /** By owner, day, market and side. */
  readonly #days = new Map<string, DaySum>();
  /** By owner, day and asset. */
  readonly #positions = new Map<string, bigint>();

  add({ events }: CommittedBatch): void {
    events.read(this);
  }

  trade(events: EventBatch, at: number): void {
    const [market, lots, takerSide] = [events.market(at), events.lots(at), events.takerSide(at)];
    const day = Math.floor(events.time(at) / DAY_MS);
    const value = BigInt(events.price(at)) * BigInt(lots);
    this.#add(`${events.owner(at)},${day},${market},${1 - takerSide}`, lots, value, events.makerFee(at));
    this.#add(`${events.takerOwner(at)},${day},${market},${takerSide}`, lots, value, events.takerFee(at));
  }

  position(records: PositionRecords, at: number): void {
    for (const { account, amount } of records.moves(at)) this.#addMove(account, amount, records.time(at));
  }

  object(event: ObjectEvent): void {
    if (event.kind !== 'loss-covered') return;
    for (const { account, amount } of event.moves) this.#addMove(account, amount, event.time);
  }

  #addMove(account: number, amount: bigint, time: number): void {
    const { owner, asset } = accountParts(account);
    if (!isClient(owner)) return;
    const key = `${owner},${Math.floor(time / DAY_MS)},${asset}`;
    this.#positions.set(key, (this.#positions.get(key) ?? 0n) + amount);
  }

  #add(key: string, lots: number, ticksLots: bigint, fee: bigint): void {
    const sum = this.#days.get(key);
    if (sum === undefined) {
      this.#days.set(key, { lots, ticksLots, fee });
      return;
    }
    sum.lots += lots;
    sum.ticksLots += ticksLots;
    sum.fee += fee;
  }

  statements(): Statement[] {
    return [
      ...(this.#days.size > 0 ? this.#tradeStatements() : []),
      ...(this.#positions.size > 0 ? this.#positionStatements() : []),
    ];
  }

  #positionStatements(): Statement[] {
    const rows = new Columns(4);
    for (const [key, amount] of inOrder(this.#positions)) {
      const [owner = 0, day = 0, asset = 0] = key.split(',').map(Number);
      rows.add(owner, day, asset, amount);
    }
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
    for (const [key, { lots, ticksLots, fee }] of inOrder(this.#days)) {
      const [owner = 0, day = 0, market = 0, side = 0] = key.split(',').map(Number);
      rows.add(owner, day, market, side, lots, ticksLots, fee);
    }
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

/** Rows are written in one order, so that two writers never wait for each other. */
const inOrder = <Sum>(sums: ReadonlyMap<string, Sum>) => [...sums].sort(([left], [right]) => (left < right ? -1 : 1));

export const dailyTrades: ProjectionPart = {
  name: 'daily trades',
  tables: ['daily_trades', 'daily_positions'],
  start: () => new DailyRun(),
};
