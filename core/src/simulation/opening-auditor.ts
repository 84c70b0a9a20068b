/**
 * Checks that no position which a taker's order opened is liquidatable when the command ends, by events, balances and marks
 * alone.
 */
import type { ExchangeEvent } from '../events/event.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { invariant } from '../invariant.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { fundingOwed } from '../margin/funding.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { notionalOf, perpetualTerms, requirement } from '../margin/perpetual.ts';
import { unrealised } from '../margin/position.ts';
import { OPENS_ABOVE_MAINTENANCE } from '../terms/rules.ts';
import type { PositionAuditor } from './position-auditor.ts';

/** Settlement units. */
interface Figures {
  readonly worth: bigint;
  readonly required: bigint;
}

/** @param events of one command */
export function auditOpenings(
  exchange: Exchange,
  positions: Pick<PositionAuditor, 'takeOpened' | 'holdingsOf'>,
  events: readonly ExchangeEvent[],
): void {
  const opened = positions.takeOpened();
  if (exchange.rules < OPENS_ABOVE_MAINTENANCE || opened.length === 0) return;
  const trades = events.flatMap((event) => (event.kind === 'trade' ? event : []));
  for (const holding of opened) {
    const { owner } = holding;
    const isMaker = trades.some(({ maker }) => maker.owner === owner);
    const orders = new Set(trades.flatMap(({ taker }) => (taker.owner === owner ? taker.orderId : [])));
    // Several orders of one owner are asked each by itself, and an order at rest was asked when it was placed.
    if (!isMaker && orders.size === 1) auditOpening(exchange, holding, positions.holdingsOf(owner));
  }
}

function auditOpening(exchange: Exchange, holding: HoldingRecord, own: readonly HoldingRecord[]): void {
  const { owner, market, isIsolated, margin } = holding;
  const assetOf = (id: number) => exchange.markets().find((one) => one.id === id)!.quote.id;
  const asset = assetOf(market);
  const isBacked = (one: HoldingRecord) =>
    !one.isIsolated && one.position !== undefined && assetOf(one.market) === asset;
  const cross = own.filter(isBacked).map((one) => figuresOf(exchange, one));
  const wallet = [Bucket.AVAILABLE, Bucket.HELD].map((bucket) =>
    exchange.balance(accountKey(owner, Wallet.FUTURE, bucket, asset)),
  );
  const equity = [...wallet, ...cross.map(({ worth }) => worth)].reduce((sum, one) => sum + one, 0n);
  const required = cross.reduce((sum, one) => sum + one.required, 0n);
  const isSafe = cross.length === 0 || equity > required;
  invariant(isSafe, 'what is opened leaves a wallet above its maintenance', { owner, market, equity, required });
  if (!isIsolated) return;
  const alone = figuresOf(exchange, holding);
  const has = margin + alone.worth;
  invariant(has > alone.required, 'what is opened is above its maintenance', { owner, market, has, ...alone });
}

/** Of a holding with a position. */
function figuresOf(exchange: Exchange, { market, position, fundingIndex }: HoldingRecord): Figures {
  const spec = exchange.markets().find(({ id }) => id === market)!;
  const terms = perpetualTerms(spec, spec.perpetual!);
  const { markPrice, lastPrice } = exchange.marketState(market);
  const mark = markPrice === 0 ? lastPrice : markPrice;
  const { direction, lots } = position!;
  const owed = fundingOwed(direction, lots, fundingIndex, exchange.perpetualState(market).fundingIndex);
  const profit = mark === 0 ? 0n : unrealised(terms, position!, mark);
  return { worth: profit - owed, required: requirement(terms, notionalOf(terms, mark, lots)) };
}
