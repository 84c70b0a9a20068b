/** The order books that are measured, each behind the same three words: prepare, run, result. */

import type { Command } from '@cambist/core/exchange/command.ts';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { PartRun } from '@cambist/server/exchange/engine/projection.ts';
import { exchangeProjections } from '@cambist/server/exchange/projections.ts';
import { dailyTrades } from '@cambist/server/funds/overview/projection.ts';
import { type IProcessOrder, OrderBook, SelfTradePreventionMode, Side } from 'nodejs-order-book';
import { commandOf, type FlowStep, fundTraders, MARKET, openMarket, PERPETUAL } from './engine-flow.ts';
import { type Tally, TallyReader } from './engine-tally.ts';

/** Events are taken in batches of this many commands, as the sequencer does. */
const BATCH = 500;

export interface Contender {
  /** Turns steps into whatever the book takes, outside the measured time, and returns what is measured. */
  prepare(steps: readonly FlowStep[]): () => void;
  /** Trades and traded lots of all that ran so far. */
  tally(): Tally;
}

export const CONTENDERS: Readonly<Record<string, () => Contender>> = {
  'nodejs-order-book': () => new NodejsOrderBook(),
  cambist: () => new Cambist(true),
  'cambist-events': () => new Cambist(false),
  'cambist-perpetual': () => new Cambist(true, PERPETUAL),
};

/** All that the server has. */
const startParts = (): PartRun[] => [...exchangeProjections, dailyTrades].map((part) => part.start());

/** Runs of batches that the projector would write together. */
const BATCHES_PER_RUN = 20;

/**
 * The exchange as the product runs it: holds, settlement, fees, self-trade prevention, price band; each batch is read
 * once, into the columns that the tables take.
 */
class Cambist implements Contender {
  readonly #exchange: FastExchange;
  readonly #intoColumns: boolean;
  readonly #reader = new TallyReader();
  #parts: PartRun[] = startParts();
  #time = 1_700_000_000_000;
  #batch = 0;
  /** Statements made, so that none is left out. */
  #written = 0;

  constructor(intoColumns: boolean, market = MARKET) {
    this.#exchange = openMarket(market);
    this.#intoColumns = intoColumns;
    fundTraders(this.#exchange);
  }

  prepare(steps: readonly FlowStep[]): () => void {
    const commands = steps.map(commandOf);
    return () => this.#run(commands);
  }

  tally(): Tally {
    return this.#reader;
  }

  #run(commands: readonly Command[]): void {
    for (let start = 0; start < commands.length; start += BATCH) {
      this.#apply(commands, start, Math.min(start + BATCH, commands.length));
      this.#read();
      this.#time += 1;
    }
  }

  #apply(commands: readonly Command[], start: number, end: number): void {
    for (let index = start; index < end; index += 1) {
      const outcome = this.#exchange.apply(this.#time, commands[index]!);
      if (!outcome.ok) throw new Error(`refused: ${outcome.reason}`);
    }
  }

  #read(): void {
    const events = this.#exchange.takeBatch();
    this.#batch += 1;
    events.read(this.#reader);
    if (this.#intoColumns) {
      const counters = this.#exchange.counters();
      for (const part of this.#parts) part.add({ batch: this.#batch, time: this.#time, events, counters }, []);
      if (this.#batch % BATCHES_PER_RUN === 0) this.#endRun();
    }
    this.#exchange.recycle(events);
  }

  #endRun(): void {
    for (const part of this.#parts) {
      this.#written += part.statements().length;
      part.release?.();
    }
    this.#parts = startParts();
  }
}

/** An argument made ready before the clock runs. */
type Call =
  | { kind: 'limit'; id: string; options: Account & { id: string; side: Side; size: number; price: number } }
  | { kind: 'market'; id: string; options: Account & { side: Side; size: number } }
  | { kind: 'cancel'; id: string }
  | { kind: 'amend'; id: string; update: { size: number; price: number } };

interface Account {
  accountId: string;
  stpMode: SelfTradePreventionMode;
}

/** Without holds, balances, fees or events, which it does not have; its answer to each order is read. */
class NodejsOrderBook implements Contender {
  readonly #book = new OrderBook();
  readonly #tally: Tally = { trades: 0, lots: 0 };

  prepare(steps: readonly FlowStep[]): () => void {
    const calls = steps.map((step) => this.#call(step));
    return () => {
      for (const call of calls) this.#apply(call);
    };
  }

  tally(): Tally {
    return this.#tally;
  }

  #call(step: FlowStep): Call {
    const id = String(step.orderId);
    const side = step.side === BUY ? Side.BUY : Side.SELL;
    const account = { accountId: String(step.owner), stpMode: SelfTradePreventionMode.EXPIRE_MAKER };
    switch (step.kind) {
      case 'limit':
        return { kind: step.kind, id, options: { id, side, size: step.quantity, price: step.price, ...account } };
      case 'market':
        return { kind: step.kind, id, options: { side, size: step.quantity, ...account } };
      case 'cancel':
        return { kind: step.kind, id };
      case 'amend':
        return { kind: step.kind, id, update: { size: step.remaining, price: step.price } };
    }
  }

  #apply(call: Call): void {
    switch (call.kind) {
      case 'limit':
        this.#count(call.id, call.options.size, this.#book.limit(call.options), true);
        break;
      case 'market':
        this.#count(call.id, call.options.size, this.#book.market(call.options), false);
        break;
      case 'cancel':
        if (this.#book.cancel(call.id) === undefined) throw new Error('an order to cancel is open');
        break;
      case 'amend':
        if (this.#book.modify(call.id, call.update).err !== null) throw new Error('an order to amend is open');
    }
  }

  /** Its lists of what is done hold the filled makers and, when a limit order is filled, that order too. */
  #count(id: string, size: number, answer: IProcessOrder, listsItself: boolean): void {
    if (answer.err !== null) throw answer.err;
    const itself = listsItself && answer.quantityLeft === 0 ? 1 : 0;
    const partMaker = answer.partial !== null && answer.partial.id !== id ? 1 : 0;
    this.#tally.trades += answer.done.length - itself + partMaker;
    this.#tally.lots += size - answer.quantityLeft;
  }
}
