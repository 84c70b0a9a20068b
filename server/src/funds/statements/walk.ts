/**
 * A client's movements of one coin in one wallet, newest first, each with the balance after it. Fills come from the trades
 * and everything else from the ledger's transfers; a transfer comes after the trade that it names and before the next one.
 * Both only ever grow at their newer end, so a place in between stays the same place.
 */
import type { MovementCause } from '@cambist/contract/statements.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { AccountMovement, MovementStore } from '../../exchange/ledger/service.ts';
import type { FillRow, FillStore } from '../../exchange/orders/service.ts';

/** Everything before it is still to come. */
export interface Place {
  /** Trades below this id. */
  readonly trade: number;
  /** Transfers below these three, compared one after the other. */
  readonly transfer: readonly [afterTrade: number, batch: number, sequence: number];
  /** Smallest units, after what comes next. */
  readonly balance: bigint;
}

export interface Entry {
  /** Fills and rows of the ledger are numbered apart. */
  readonly id: string;
  readonly time: number;
  readonly cause: MovementCause;
  readonly market: number | undefined;
  readonly reference: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly balance: bigint;
  /** Where the next older one begins. */
  readonly rest: Place;
}

export interface Account {
  readonly owner: number;
  readonly asset: number;
  /** Keys of all buckets of the wallet. */
  readonly accounts: readonly number[];
  /** Whether fills move it. */
  readonly isTraded: boolean;
}

export interface WalkDeps {
  readonly fills: Pick<FillStore, 'span' | 'fills'>;
  readonly movements: Pick<MovementStore, 'movementsOf'>;
  /** Those that have the asset on either side, delisted ones too. */
  readonly marketsOf: (asset: number) => readonly MarketSpec[];
}

type Moved = Pick<Entry, 'id' | 'time' | 'cause' | 'market' | 'reference' | 'amount' | 'fee'> & {
  readonly rest: Omit<Place, 'balance'>;
};

/** Transfers that one statement reads, at most. */
const TRANSFERS = 200;

function ofFill(fill: FillRow, market: MarketSpec, asset: number): Moved {
  const [base, quote] = [baseUnits(market, fill.quantity), notional(market, fill.price, fill.quantity)];
  const isBuy = (fill.taker_side === BUY) === fill.taker;
  const isBase = market.base.id === asset;
  // A fee is taken of what is received.
  const receives = isBuy === isBase;
  const fee = receives ? (fill.taker ? fill.taker_fee : fill.maker_fee) : 0n;
  const units = isBase ? base : quote;
  return {
    ...{ id: `t${fill.id}`, time: fill.time, market: market.id, reference: fill.id, fee },
    cause: fill.converted ? 'conversion' : 'trade',
    amount: receives ? units - fee : -units,
    rest: { trade: fill.id, transfer: [fill.id, 0, 0] },
  };
}

const isOfPosition = (reason: AccountMovement['reason']): boolean => reason.startsWith('position-');

function ofTransfer({ reason, reference, transfer, row, after_trade, ...moved }: AccountMovement): Moved {
  const { time, amount, fee, batch, sequence } = moved;
  const market = isOfPosition(reason) ? reference : undefined;
  return {
    ...{ id: `m${row}`, time, cause: reason, market, reference: transfer || row, amount, fee },
    rest: { trade: after_trade + 1, transfer: [after_trade, batch, sequence] },
  };
}

/** Newer ones first. */
function merge(fills: readonly Moved[], transfers: readonly Moved[]): Moved[] {
  const merged: Moved[] = [];
  let at = 0;
  for (const fill of fills) {
    for (; at < transfers.length && transfers[at]!.rest.transfer[0] >= fill.reference; at += 1) {
      merged.push(transfers[at]!);
    }
    merged.push(fill);
  }
  return [...merged, ...transfers.slice(at)];
}

/** @param size fills of the client that one statement looks at */
export async function* walk(
  { fills, movements, marketsOf }: WalkDeps,
  { owner, asset, accounts, isTraded }: Account,
  start: Place,
  size: number,
): AsyncGenerator<readonly Entry[], void, void> {
  const markets = new Map(isTraded ? marketsOf(asset).map((market) => [market.id, market]) : []);
  let place = start;
  for (;;) {
    const span = markets.size > 0 ? await fills.span('fills', owner, 0, place.trade, size) : undefined;
    const oldest = span?.count === size ? span.first : 0;
    const read = await movements.movementsOf(accounts, oldest, place.transfer, TRANSFERS);
    const isFull = read.length === TRANSFERS;
    // Beyond the last transfer that was read there may be others between the trades.
    const reached = isFull ? (read.at(-1)?.after_trade ?? 0) + 1 : oldest;
    const filter = { owner, markets: [...markets.keys()], side: undefined, role: undefined, order: undefined };
    const first = Math.max(reached, span?.first ?? 0);
    const rows =
      span === undefined || first >= place.trade ? [] : await fills.fills({ ...filter, first, before: place.trade });
    const traded = rows.map((fill) => ofFill(fill, markets.get(fill.market)!, asset));
    const entries: Entry[] = [];
    let { balance } = place;
    for (const moved of merge(traded, read.map(ofTransfer))) {
      const after = balance;
      balance -= moved.amount;
      entries.push({ ...moved, balance: after, rest: { ...moved.rest, balance } });
    }
    if (entries.length > 0) yield entries.filter(({ amount }) => amount !== 0n);
    if (!isFull && oldest === 0) return;
    const last = read.at(-1);
    place =
      isFull && last ? { ...ofTransfer(last).rest, balance } : { trade: oldest, transfer: [oldest, 0, 0], balance };
  }
}
