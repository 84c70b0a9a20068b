/**
 * Runs while serving and compares what must agree: every asset sums to zero, every ledger transaction balances, balances
 * are what transfers and trades made them, and what is held is what open and untriggered orders need. It reads one state
 * of the tables and nothing waits for it. What it finds is an alarm that an operator sees, not a line in a log.
 */
import { accountKey, accountParts, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { untriggeredHold } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ReconcilerStore, Round } from './reconciler-store.ts';

export interface ReconcilerDeps {
  readonly store: ReconcilerStore;
  readonly marketOf: (id: number) => MarketSpec | undefined;
  readonly logger: Logger;
  readonly clock: { now(): number };
  readonly everyMs: number;
}

export interface Discrepancy {
  readonly kind: string;
  readonly detail: string;
}

export interface Reconciler {
  /** One whole round. Answers what it found. */
  check(): Promise<Discrepancy[]>;
  openAlarms(): number;
  /** The batch at which the books were last found in order; 0 before the first round. */
  provenBatch(): number;
  start(): void;
  close(): Promise<void>;
}

type Amounts = Map<number, bigint>;

function add(to: Amounts, account: number, amount: bigint): void {
  to.set(account, (to.get(account) ?? 0n) + amount);
}

/** What orders hold, by account: the open ones notional for buys and base units for sells, the untriggered ones theirs. */
function heldByOrders({ orders, untriggered }: Round, marketOf: ReconcilerDeps['marketOf']): Amounts {
  const held: Amounts = new Map();
  for (const order of untriggered) {
    const market = marketOf(order.market);
    if (market === undefined) continue;
    const asset = order.side === BUY ? market.quote : market.base;
    add(held, accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset.id), untriggeredHold(market, order));
  }
  for (const { owner, market: id, side, ticks_lots, lots } of orders) {
    const market = marketOf(id);
    if (market === undefined) continue;
    const isBuy = side === BUY;
    const asset = isBuy ? market.quote : market.base;
    const amount = isBuy ? ticks_lots * quoteUnitsPerTickLot(market) : lots * baseUnitsPerLot(market);
    add(held, accountKey(owner, Wallet.SPOT, Bucket.HELD, asset.id), amount);
  }
  return held;
}

/** What was proven, with the transfers and the trades since: what the balances must be, whatever the bucket. */
function expectedBalances(round: Round, marketOf: ReconcilerDeps['marketOf']): Amounts {
  const expected: Amounts = new Map();
  for (const { account, amount } of [...round.proven, ...round.moved]) add(expected, account, amount);
  const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
  for (const { owner, market: id, side, lots, ticks_lots, fee, credit } of round.trades) {
    const market = marketOf(id);
    if (market === undefined) continue;
    const { base, quote } = market;
    const units = lots * baseUnitsPerLot(market);
    const value = ticks_lots * quoteUnitsPerTickLot(market);
    const isBuy = side === BUY;
    add(expected, spot(owner, base.id), isBuy ? units - fee : -units);
    add(expected, spot(owner, quote.id), isBuy ? -value : value - fee);
    add(expected, spot(SystemOwner.FEES, isBuy ? base.id : quote.id), fee);
    add(expected, spot(SystemOwner.FEES, quote.id), credit);
    add(expected, accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, quote.id), -credit);
  }
  return expected;
}

function foundBalances({ balances }: Round): { readonly all: Amounts; readonly held: Amounts } {
  const [all, held]: [Amounts, Amounts] = [new Map(), new Map()];
  for (const { account, amount } of balances) {
    const { owner, wallet, bucket, asset } = accountParts(account);
    add(all, accountKey(owner, wallet, Bucket.AVAILABLE, asset), amount);
    if (bucket === Bucket.HELD) held.set(account, amount);
  }
  return { all, held };
}

function differences(expected: Amounts, found: Amounts, describe: (account: number) => Discrepancy): Discrepancy[] {
  const accounts = new Set([...expected.keys(), ...found.keys()]);
  return [...accounts].filter((account) => (expected.get(account) ?? 0n) !== (found.get(account) ?? 0n)).map(describe);
}

function findDiscrepancies(round: Round, marketOf: ReconcilerDeps['marketOf']) {
  const expected = expectedBalances(round, marketOf);
  const orders = heldByOrders(round, marketOf);
  const { all, held } = foundBalances(round);
  const found: Discrepancy[] = [
    ...round.imbalances.map(({ asset, total }) => ({
      kind: 'asset-does-not-sum-to-zero',
      detail: `asset ${asset}: all accounts sum to ${total}`,
    })),
    ...round.unbalanced.map(({ batch, sequence }) => ({
      kind: 'unbalanced-ledger-transaction',
      detail: `batch ${batch}, sequence ${sequence}`,
    })),
    ...differences(expected, all, (account) => ({
      kind: 'balance-differs-from-ledger',
      detail: `account ${account}: the ledger has ${expected.get(account) ?? 0n}, the balance is ${all.get(account) ?? 0n}`,
    })),
    ...differences(orders, held, (account) => ({
      kind: 'held-differs-from-orders',
      detail: `account ${account}: orders hold ${orders.get(account) ?? 0n}, the balance is ${held.get(account) ?? 0n}`,
    })),
  ];
  return { found, proven: all };
}

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { store, logger, clock } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let openAlarms = 0;
  let provenBatch = 0;

  async function check(): Promise<Discrepancy[]> {
    const round = await store.read();
    const { found, proven } = findDiscrepancies(round, deps.marketOf);
    // Only what was proven right is what the next round begins from.
    if (found.length === 0) {
      await store.advance(round.marks, proven);
      provenBatch = round.marks.batch;
    }
    for (const { kind, detail } of found) {
      const isNews = await store.raise(kind, detail, clock.now());
      if (isNews) logger.error({ kind, detail }, 'ALARM: the books do not agree');
    }
    openAlarms = await store.openAlarms();
    return found;
  }

  function schedule(): void {
    const round = () => {
      running = check()
        .catch((error: Error) => logger.warn({ err: error }, 'A reconciliation round could not be done'))
        .finally(() => timer && schedule());
    };
    timer = setTimeout(guarded(logger, 'reconciler', round), deps.everyMs);
  }

  return {
    check,
    openAlarms: () => openAlarms,
    provenBatch: () => provenBatch,
    start: schedule,
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}
