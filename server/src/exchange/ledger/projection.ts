/** Balances, postings of transfers, pending transfers and fees: what the tables of the ledger take from the events. */

import type { ObjectEvent, TransferEvent } from '@cambist/core/events/event.ts';
import type { PositionRecords } from '@cambist/core/events/position-records.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import type { LossCovered } from '@cambist/core/margin/event.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { BalanceRows, balanceStatements } from './balance-rows.ts';
import { restoreLedger } from './recovery-store.ts';

const ints = (numbers: readonly (number | bigint)[]) => `{${numbers.join(',')}}`;

const isHouse = (owner: number): boolean => owner === HOUSE_MAKER || owner === HOUSE_TAKER;

/** What moved, by account: an account that is in two legs has one posting. */
function postingsOf(moves: readonly TransferLeg[]): { readonly accounts: number[]; readonly amounts: bigint[] } {
  const net = new Map<number, bigint>();
  for (const { from, to, amount } of moves) {
    net.set(from, (net.get(from) ?? 0n) - amount);
    net.set(to, (net.get(to) ?? 0n) + amount);
  }
  const moved = [...net].filter(([, amount]) => amount !== 0n);
  return { accounts: moved.map(([account]) => account), amounts: moved.map(([, amount]) => amount) };
}

/** Runs that were written: their memory is used again. */
const spare: LedgerRun[] = [];

class LedgerRun implements PartRun {
  /** As they are after the last batch; absolute, so that a balance that moved a hundred times costs one update. */
  readonly #balances = new BalanceRows();
  #transactions = new Columns(10);
  readonly #pending = new Map<number, TransferEvent | undefined>();
  readonly #fees = new Map<number, { readonly makerPpm: number; readonly takerPpm: number }>();
  readonly #sources = new Map<number, number>();
  #batch = 0;
  /** Of the object at hand among the changes and objects of its batch: rows of both are in one order. */
  #sequence = 0;
  /** The last trade before the batch, and the time of the last event that was read. */
  #lastTrade = 0;
  #time = 0;
  /** What the market maker's positions moved in the batch, by account: no row for each, as it trades all the time. */
  readonly #house = new Map<number, bigint>();

  add({ batch, events, counters }: CommittedBatch): void {
    this.#batch = batch;
    this.#balances.add(events);
    this.#lastTrade = counters.lastTradeId - events.trades;
    events.readRare(this);
    this.#sequence = events.rareCount + 1;
    this.#addHouse(counters.lastTradeId);
  }

  /** Money of a perpetual moves by its positions: what a client's move is written with their changes (`insertMoved`). */
  position(records: PositionRecords, at: number): void {
    this.#time = records.time(at);
    if (isHouse(records.owner(at))) this.#addHouseMoves(records, at);
  }

  object(event: ObjectEvent, tradesBefore: number, sequence: number): void {
    this.#sequence = sequence;
    this.#time = event.time;
    const afterTrade = this.#lastTrade + tradesBefore;
    if (event.kind === 'fees-set') this.#fees.set(event.owner, event);
    if (event.kind === 'loss-covered') this.#addCovered(event, afterTrade);
    if (event.kind === 'transfer') this.#addTransfer(event, afterTrade);
  }

  /** Its reference is the owner, as it is of no one market. */
  #addCovered({ owner, moves, time }: LossCovered, afterTrade: number): void {
    const [accounts, amounts] = [moves.map(({ account }) => account), moves.map(({ amount }) => amount)];
    this.#addRow('loss-covered', owner, [ints(accounts), ints(amounts), time, 0, '', afterTrade]);
  }

  #addTransfer(event: TransferEvent, afterTrade: number): void {
    const { transferId, reason, reference, detail, stage, moves, time } = event;
    if (event.origin !== undefined) this.#sources.set(event.origin.source, event.origin.sequence);
    const { accounts, amounts } = postingsOf(moves);
    const name = stage === 'posted' ? reason : `${reason}-${stage}`;
    this.#addRow(name, reference, [ints(accounts), ints(amounts), time, transferId, detail, afterTrade]);
    if (stage === 'pending') this.#pending.set(transferId, event);
    else if (stage !== 'posted') this.#pending.set(transferId, undefined);
  }

  #addRow(
    name: string,
    reference: number,
    facts: readonly [accounts: string, amounts: string, time: number, transfer: number, detail: string, after: number],
  ): void {
    this.#transactions.add(this.#batch, this.#sequence, name, reference, ...facts);
  }

  #addHouseMoves(records: PositionRecords, at: number): void {
    for (const { account, amount } of records.moves(at))
      this.#house.set(account, (this.#house.get(account) ?? 0n) + amount);
  }

  #addHouse(afterTrade: number): void {
    if (this.#house.size === 0) return;
    const moved = [...this.#house].filter(([, amount]) => amount !== 0n);
    this.#house.clear();
    if (moved.length === 0) return;
    const [accounts, amounts] = [moved.map(([account]) => account), moved.map(([, amount]) => amount)];
    this.#addRow('position-trade', 0, [ints(accounts), ints(amounts), this.#time, 0, '', afterTrade]);
  }

  release(): void {
    this.#balances.clear();
    this.#transactions = new Columns(10);
    this.#pending.clear();
    this.#sources.clear();
    this.#fees.clear();
    spare.push(this);
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    if (this.#balances.size > 0) statements.push(...balanceStatements(this.#balances));
    if (this.#transactions.size > 0) {
      statements.push(insertTransactions(this.#transactions), ...this.#pendingStatements());
    }
    if (this.#sources.size > 0) statements.push(this.#upsertSources());
    if (this.#fees.size > 0) statements.push(this.#upsertFees());
    return statements;
  }

  #pendingStatements(): Statement[] {
    const rows = new Columns(7);
    const ended: number[] = [];
    for (const [id, event] of this.#pending) {
      if (event === undefined) {
        ended.push(id);
        continue;
      }
      const { reason, reference, legs, detail } = event;
      const column = (pick: (leg: TransferLeg) => number | bigint) => ints(legs.map(pick));
      const accounts = [column(({ from }) => from), column(({ to }) => to), column(({ amount }) => amount)] as const;
      rows.add(id, reason, reference, ...accounts, detail);
    }
    const insert: Statement = {
      sql: `INSERT INTO pending_transfers (id, reason, reference, payers, receivers, amounts, detail)
            SELECT id, reason, reference, payers::bigint[], receivers::bigint[], amounts::bigint[], detail
            FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])
                 AS n (id, reason, reference, payers, receivers, amounts, detail)`,
      parameters: rows.parameters(),
    };
    const remove: Statement = {
      sql: 'DELETE FROM pending_transfers WHERE id = ANY ($1::bigint[])',
      parameters: [ended],
    };
    return [...(rows.size > 0 ? [insert] : []), ...(ended.length > 0 ? [remove] : [])];
  }

  #upsertSources(): Statement {
    return {
      sql: `INSERT INTO command_sources (source, sequence) SELECT * FROM unnest($1::integer[], $2::bigint[])
            ON CONFLICT (source) DO UPDATE SET sequence = excluded.sequence`,
      parameters: [[...this.#sources.keys()], [...this.#sources.values()]],
    };
  }

  #upsertFees(): Statement {
    const rows = new Columns(3);
    for (const [owner, { makerPpm, takerPpm }] of this.#fees) rows.add(owner, makerPpm, takerPpm);
    return {
      sql: `INSERT INTO fee_rates (owner, maker_ppm, taker_ppm)
            SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[])
            ON CONFLICT (owner) DO UPDATE SET maker_ppm = excluded.maker_ppm, taker_ppm = excluded.taker_ppm`,
      parameters: rows.parameters(),
    };
  }
}

/** An array inside an array column travels as its own text: unnest would flatten a second dimension. */
function insertTransactions(rows: Columns): Statement {
  return {
    sql: `INSERT INTO ledger_transactions (batch, sequence, reason, reference, accounts, amounts, time, transfer, detail,
                                           after_trade)
          SELECT batch, sequence, reason, reference, accounts::bigint[], amounts::bigint[], time, transfer, detail,
                 after_trade
          FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
                      $8::bigint[], $9::text[], $10::bigint[])
               AS n (batch, sequence, reason, reference, accounts, amounts, time, transfer, detail, after_trade)`,
    parameters: rows.parameters(),
  };
}

export const ledgerProjection: ProjectionPart = {
  name: 'ledger',
  tables: ['balances', 'ledger_transactions', 'pending_transfers', 'command_sources', 'fee_rates'],
  start: () => spare.pop() ?? new LedgerRun(),
  restore: restoreLedger,
};
