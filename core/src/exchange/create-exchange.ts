import type { ExchangeEvent } from '../events/event.ts';
import type { EventBatch, EventReader } from '../events/event-batch.ts';
import type { ClearMarket, DelistMarket } from '../instruments/commands.ts';
import type { SetIndexPrice } from '../margin/commands.ts';
import type { AmendOrder, CancelAllOrders, CancelOrder, StopOrders } from '../orders/commands.ts';
import { type RunTwaps, runProblem } from '../orders/twap/twap.ts';
import { endPause } from '../orders/volatility-pause.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import type { Command } from './command.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeState } from './exchange-state.ts';

/** Orders that one `clear-market` may cancel. */
const MAXIMUM_CLEARED = 10_000;

/**
 * The exchange as it runs in production, without instruments, money or orders. Every bad input is an `Outcome`; an
 * exception means that the state can't be trusted any more.
 */
export function createExchange(): FastExchange {
  return new FastExchange();
}

export class FastExchange extends ExchangeState implements Exchange {
  readonly #ended: EventReader = {
    order: (batch, at) => {
      if (batch.status(at) !== 'open') this.clientIds.forget(batch.orderId(at));
    },
    object: (event) => {
      if (event.kind === 'untriggered-ended') this.clientIds.forget(event.order.orderId);
    },
  };
  readonly #marketOf = (index: number): number => this.ids.idAt(index);
  readonly #followTrades = (from: number): void => {
    const { traded, ended } = this.margins;
    if (traded.length > 0) {
      if (this.conditionals.orders.size > 0) this.conditionals.followPositions(traded, ended, this.#marketOf);
      if (ended.length > 0 && this.twapList.size > 0) this.twapProcessor.followPositions(ended, this.#marketOf);
      // One by one: with a length of 0 its memory would go too, and come again with the next trade.
      while (traded.length > 0) traded.pop();
      while (ended.length > 0) ended.pop();
    }
    if (this.plans.size > 0) this.exits.follow(from);
  };

  get rules(): number {
    return this.orders.rules;
  }

  set rules(version: number) {
    this.orders.rules = version;
    this.margins.rules = version;
    this.indexes.rules = version;
    this.instruments.rules = version;
  }

  apply(time: number, command: Command): Outcome {
    this.log.time = time;
    const start = this.position;
    const outcome = this.#perform(command);
    this.#followTrades(start);
    if (this.conditionals.isPending) this.conditionals.processTriggered(this.#followTrades);
    if (this.margins.short.size > 0) {
      const from = this.position;
      this.marginProcessor.coverLosses();
      this.#followTrades(from);
    }
    if (this.clientIds.size > 0) this.#forgetEnded(start);
    return outcome;
  }

  #perform(command: Command): Outcome {
    switch (command.kind) {
      case 'place-order':
        return this.orders.place(this.instruments.find(command.market), command);
      case 'close-position':
        return this.closings.close(this.instruments.find(command.market), command);
      case 'cancel-order':
        return this.#cancel(command);
      case 'amend-order':
        return this.#amend(command);
      case 'cancel-all-orders':
        return this.#cancelAll(command);
      case 'stop-orders':
        return this.#stop(command);
      case 'place-conditional-order':
        return this.conditionals.place(command);
      case 'amend-conditional-order':
        return this.conditionals.amend(command);
      case 'place-twap':
        return this.twapProcessor.place(command);
      case 'run-twaps':
        return this.#runDue(command);
      case 'set-mark-price':
        return this.conditionals.setMarkPrice(command);
      case 'set-index-price':
        return this.#setIndex(command);
      case 'run-liquidations':
        return this.liquidator.run(command);
      case 'settle-positions':
        return this.settler.settle(command);
      case 'transfer':
        return this.transfers.transfer(command);
      case 'post-pending':
        return this.transfers.post(command);
      case 'void-pending':
        return this.transfers.void(command);
      case 'set-leverage':
        return this.marginProcessor.setLeverage(command);
      case 'adjust-margin':
        return this.marginProcessor.adjustMargin(command);
      case 'set-position-mode':
        return this.marginProcessor.setPositionMode(command);
      case 'list-asset':
        return this.instruments.listAsset(command);
      case 'list-market':
        return this.instruments.listMarket(command);
      case 'change-market':
        return this.instruments.changeMarket(command, this.twapList.countIn(command.market));
      case 'announce-delisting':
        return this.instruments.announceDelisting(command);
      case 'halt-market':
        return this.instruments.halt(command);
      case 'clear-market':
        return this.#clear(command);
      case 'delist-market':
        return this.#delist(command);
      case 'set-fees':
        return this.instruments.setFees(command);
      case 'set-default-fees':
        return this.instruments.setDefaultFees(command);
      case 'set-limits':
        return this.instruments.setLimits(command);
      case 'set-reference-price':
        return this.instruments.setReferencePrice(command);
    }
  }

  takeEvents(): ExchangeEvent[] {
    const batch = this.takeBatch();
    const events = batch.events();
    this.recycle(batch);
    return events;
  }

  /** Where the next event will be in the batch that is being written. */
  get position(): number {
    return this.log.batch.end;
  }

  /** Hands over the events since the last time as records, and the balances that they left. Give it back when read. */
  takeBatch(): EventBatch {
    return this.log.take();
  }

  /** Takes a batch back that has been read. */
  recycle(batch: EventBatch): void {
    this.log.recycle(batch);
  }

  #forgetEnded(start: number): void {
    const { batch } = this.log;
    batch.readBetween(start, batch.end, [this.#ended]);
  }

  /** What was triggered is placed once the command is done, behind what is liquidated. */
  #setIndex(command: SetIndexPrice): Outcome {
    const outcome = this.indexes.setIndex(command);
    if (!outcome.ok) return outcome;
    this.liquidator.follow();
    this.indexes.endPassed(command);
    return outcome;
  }

  /** What time alone brings: pauses end first, then the last price was held where it is, then slices are due. */
  #runDue(command: RunTwaps): Outcome {
    const problem = runProblem(command);
    if (problem !== undefined) return refused(problem);
    for (const market of this.instruments.books) if (endPause(this.log, market)) this.conditionals.resume(market);
    for (const market of this.instruments.books) if (market.isHeld) market.lastWatch?.observe(market.lastPrice);
    return this.twapProcessor.run(command);
  }

  #cancel(command: CancelOrder): Outcome {
    const outcome = this.orders.cancel(this.instruments.books, command);
    if (outcome.ok) return outcome;
    return this.twapList.find(command.orderId) === undefined
      ? this.conditionals.cancel(command)
      : this.twapProcessor.cancel(command);
  }

  /** A TWAP is cancelled and placed anew. */
  #amend(command: AmendOrder): Outcome {
    const outcome = this.orders.amend(this.instruments.books, command);
    if (outcome.ok || this.twapList.find(command.orderId)?.owner !== command.owner) return outcome;
    return refused('NOT_AMENDABLE');
  }

  #delist(command: DelistMarket): Outcome {
    const { market } = command;
    return this.instruments.delist(command, this.conditionals.orders.countIn(market) + this.twapList.countIn(market));
  }

  #cancelAll({ owner, market: id, side }: CancelAllOrders): Outcome {
    const market = id === undefined ? undefined : this.instruments.find(id);
    if (id !== undefined && market === undefined) return refused('UNKNOWN_MARKET');
    this.orders.cancels.all(this.instruments.books, owner, market?.index, side);
    this.conditionals.cancelAll(owner, id, side);
    this.twapProcessor.cancelAll(owner, id, side);
    return OK;
  }

  #stop({ owner }: StopOrders): Outcome {
    this.orders.cancels.stop(this.instruments.books, owner);
    this.conditionals.stop(owner);
    this.twapProcessor.stop(owner);
    return OK;
  }

  #clear({ market: id, maximum }: ClearMarket): Outcome {
    const market = this.instruments.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (!market.halted) return refused('MARKET_NOT_EMPTY');
    if (!Number.isInteger(maximum) || maximum < 1 || maximum > MAXIMUM_CLEARED) return refused('INVALID_QUANTITY');
    let left = maximum - this.orders.cancels.clear(market, maximum);
    const untriggered = Math.min(left, this.conditionals.orders.countIn(id));
    if (untriggered > 0) this.conditionals.clear(id, untriggered);
    left -= untriggered;
    if (left > 0) this.twapProcessor.clear(id, left);
    return OK;
  }
}
