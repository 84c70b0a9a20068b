/** Closes positions on the wish of their owners, or turns them round: all in one step, by as many orders as the market's largest needs. */
import type { EventLog } from '../events/event-log.ts';
import { namedLeg } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { Outcome } from '../terms/outcome.ts';
import { OK, refused } from '../terms/outcome.ts';
import { CLOSING_COMES_FIRST } from '../terms/rules.ts';
import type { ClosePosition, PlaceOrder } from './commands.ts';
import type { MarketBook } from './market-book.ts';
import type { OrderProcessor } from './order-processor.ts';
import { accessProblem, positionSideProblem } from './order-terms.ts';
import type { OrderParts } from './parts.ts';

export class Closings {
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #processor: OrderProcessor;
  readonly #parts: OrderParts;

  constructor(accounts: AccountTable, log: EventLog, processor: OrderProcessor, parts: OrderParts) {
    this.#accounts = accounts;
    this.#log = log;
    this.#processor = processor;
    this.#parts = parts;
  }

  /** `market` is undefined when the command names one that does not exist. */
  close(market: MarketBook | undefined, command: ClosePosition): Outcome {
    const { orderId, side, positionSide, reverses } = command;
    if (!this.#processor.isFreeId(orderId)) return refused('DUPLICATE_ID');
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const barred = accessProblem(market, command.owner);
    if (barred !== undefined) return refused(barred);
    const { perpetual } = market;
    const owner = this.#accounts.owner(command.owner);
    const order = orderOf(command);
    const mismatch = positionSideProblem(market, order, owner);
    if (mismatch !== undefined) return refused(mismatch);
    // It would be two orders there, of which one might fail.
    if (reverses && positionSide !== undefined) return refused('POSITION_SIDE_MISMATCH');
    const leg = namedLeg(positionSide);
    const open = perpetual?.openLotsOf(owner, side, leg) ?? 0;
    if (perpetual === undefined || open === 0) return refused('NOTHING_TO_CLOSE');
    const wanted = reverses ? 2 * open : closingLots(command, open);
    if (wanted === undefined) return refused('INVALID_QUANTITY');
    const comesFirst = !reverses && this.#processor.rules >= CLOSING_COMES_FIRST;
    const { cancels } = this.#processor;
    const givesWay = comesFirst ? cancels.reducingLots(market, side, owner, leg) : 0;
    // Where others close all of it already, the order is refused for that.
    const lots = reverses ? wanted : Math.max(1, Math.min(wanted, perpetual.closable(owner, side, leg) + givesWay));

    const first = { createdAt: this.#log.time, isNew: true, isAnySize: false, comesFirst, isOneWish: reverses };
    const { outcome, lastOrderId, reason } = this.#parts.place(market, order, lots, first);
    if (outcome.ok && lots > market.spec.maximumLots) {
      const facts = { owner: command.owner, market: command.market, leg, orderId, lastOrderId, lots, reverses, reason };
      this.#log.object({ kind: 'closed-in-parts', ...facts });
    }
    return outcome.ok ? OK : outcome;
  }
}

/** Undefined where the command does not say it as it must. */
function closingLots({ quantity, sharePercent }: ClosePosition, open: number): number | undefined {
  if (quantity !== undefined) return Number.isSafeInteger(quantity) && quantity > 0 ? quantity : undefined;
  const isShare = Number.isInteger(sharePercent) && sharePercent >= 1 && sharePercent <= 100;
  // A share of a lot is a lot: a percent of little closes something.
  return isShare ? Math.ceil((open * sharePercent) / 100) : undefined;
}

function orderOf(command: ClosePosition): PlaceOrder {
  const { orderId, owner, market, side, type, timeInForce, price, selfTrade, positionSide, reverses } = command;
  return {
    ...{ kind: 'place-order', orderId, owner, market, side, type, timeInForce, price, selfTrade },
    ...{ quantity: 0, quoteTotal: 0n },
    ...(!reverses && { reduceOnly: true }),
    ...(positionSide !== undefined && { positionSide }),
  };
}
