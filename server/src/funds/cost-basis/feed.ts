/**
 * Trades and transfers as one sequence of what happened to holdings, in the order in which it happened, and a durable
 * consumer at its own pace that follows it. A transfer needs nothing of its own here: whatever brings coins to a client
 * without a trade (a deposit, a reward, interest, a coin of the faucet) is a step that only receives, whatever takes them
 * away one that only gives, and between a client's wallets nothing changes.
 */
import { HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { LedgerPlace, Movement, MovementStore } from '../../exchange/ledger/service.ts';
import type { TradeRow, TradeStore } from '../../exchange/orders/service.ts';
import type { Statement } from '../../platform/database.ts';
import {
  createPacedConsumer,
  type PacedDeps,
  type Page,
  type RunningPacedConsumer,
} from '../../platform/paced-consumer.ts';

export interface Amount {
  readonly asset: number;
  /** Smallest units. */
  readonly units: bigint;
}

/** Something that one owner received, gave, or one for the other. */
export interface Step {
  readonly owner: number;
  readonly given?: Amount;
  readonly received?: Amount;
  /** What it is worth in USDT is asked of this asset and amount. */
  readonly valued: Amount;
  /** The last trade before it, whose prices count. */
  readonly trade: number;
  readonly time: number;
}

function tradeSteps(trade: TradeRow, market: MarketSpec): Step[] {
  const [base, quote] = [baseUnits(market, trade.quantity), notional(market, trade.price, trade.quantity)];
  const [baseAsset, quoteAsset] = [market.base.id, market.quote.id];
  const side = (owner: number, isBuy: boolean, fee: bigint): Step => {
    const at = { owner, trade: trade.id, time: trade.time };
    if (isBuy) {
      const given = { asset: quoteAsset, units: quote };
      return { ...at, given, received: { asset: baseAsset, units: base - fee }, valued: given };
    }
    const received = { asset: quoteAsset, units: quote - fee };
    return { ...at, given: { asset: baseAsset, units: base }, received, valued: received };
  };
  const isTakerBuying = trade.taker_side === BUY;
  return [
    side(trade.maker_owner, !isTakerBuying, trade.maker_fee),
    side(trade.taker_owner, isTakerBuying, trade.taker_fee),
  ];
}

function movementStep({ owner, asset, amount, after_trade: trade, time }: Movement): Step[] {
  if (owner === null) return [];
  const moved = { asset, units: amount < 0n ? -amount : amount };
  const at = { owner, valued: moved, trade, time };
  return [amount < 0n ? { ...at, given: moved } : { ...at, received: moved }];
}

/**
 * Both in their own order. A transfer comes after the trade that it names and before the next one. A trade of a perpetual is
 * no step: it moves no coins, and what it has brought and cost is among the transfers.
 */
function stepsOf(
  trades: readonly TradeRow[],
  movements: readonly Movement[],
  marketOf: (id: number) => MarketSpec,
  isFollowed: (owner: number) => boolean,
): Step[] {
  const steps: Step[] = [];
  let at = 0;
  for (const trade of trades) {
    for (; at < movements.length && movements[at]!.after_trade < trade.id; at += 1) {
      steps.push(...movementStep(movements[at]!));
    }
    const market = marketOf(trade.market);
    if (market.perpetual === undefined) steps.push(...tradeSteps(trade, market));
  }
  steps.push(...movements.slice(at).flatMap(movementStep));
  return steps.filter(({ owner }) => isFollowed(owner));
}

/** Trades, and rows of the ledger, that one page looks at. */
const PAGE = { trades: 1_000, transfers: 500 } as const;
/** The exchange's own owners and the market maker: they trade all the time, and none of them asks what it holds. */
const isFollowed = (owner: number): boolean => owner > HOUSE_TAKER;

export interface StepDeps {
  readonly trades: TradeStore;
  readonly movements: MovementStore;
  readonly marketById: (id: number) => MarketSpec;
  readonly consumers: PacedDeps;
  /** The batch that the tables hold. */
  readonly projected: () => number;
  readonly page?: { readonly trades: number; readonly transfers: number };
}

/** Who follows: where it is in the ledger, and what steps bring about. Its position is the last trade. */
export interface StepFollower {
  readonly name: string;
  readonly place: () => Promise<LedgerPlace>;
  readonly savePlace: (place: LedgerPlace) => Statement;
  /** For one transaction with the place. Called with steps in their order, once each. */
  readonly effectsOf: (steps: readonly Step[]) => Promise<readonly Statement[]>;
}

/** What one page reads: no trade and no transfer is left out between two pages, and none is in both. */
async function readPage({ trades, movements, page = PAGE }: StepDeps, position: number, place: LedgerPlace) {
  // The trades first: a transfer before one of them is in the tables with it.
  const last = await trades.lastId();
  const read = await movements.movementsAfter(place, page.transfers, HOUSE_TAKER);
  const isFull = new Set(read.map(({ batch, sequence }) => `${batch}:${sequence}`)).size === page.transfers;
  const reached = Math.min(position + page.trades, last);
  // Beyond the last transfer that was read there may be others between the trades.
  const known = Math.max(position, ...read.map(({ after_trade }) => after_trade));
  const to = isFull ? Math.min(reached, known) : reached;
  const beyond = read.findIndex(({ after_trade }) => after_trade > to);
  const moved = beyond === -1 ? read : read.slice(0, beyond);
  const isLast = to === last && !isFull;
  return { rows: to > position ? await trades.tradesBetween(position, to, HOUSE_TAKER) : [], moved, to, isLast };
}

export function createStepConsumer(follower: StepFollower, deps: StepDeps): RunningPacedConsumer {
  const { name, savePlace, effectsOf } = follower;
  let place: LedgerPlace = { batch: 0, sequence: 0 };

  async function pageAfter(position: number): Promise<Page> {
    const { rows, moved, to, isLast } = await readPage(deps, position, place);
    const effects = await effectsOf(stepsOf(rows, moved, deps.marketById, isFollowed));
    const end: Movement | undefined = moved.at(-1);
    if (end === undefined) return { position: to, statements: effects, isLast };
    const next = { batch: end.batch, sequence: end.sequence };
    const committed = () => {
      place = next;
    };
    return { position: to, statements: [...effects, savePlace(next)], isLast, committed };
  }

  return createPacedConsumer(
    {
      name,
      version: deps.projected,
      async load() {
        place = await follower.place();
      },
      pageAfter,
    },
    deps.consumers,
  );
}
