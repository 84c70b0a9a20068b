/**
 * Runs while serving and believes nobody: every asset sums to zero, every ledger transaction balances, the balances
 * are what the ledger says, and what is held is what the open and the waiting orders need.
 * What it finds is an alarm that an operator sees, not a line in a log.
 */
import { type UntriggeredOrder, untriggeredHold } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ReconcilerStore } from './reconciler-store.ts';

export interface ReconcilerDeps {
  readonly store: ReconcilerStore;
  readonly markets: readonly MarketSpec[];
  readonly logger: Logger;
  readonly clock: { now(): number };
  readonly everyMs: number;
  /** Keeps the tables still while the check reads them. */
  readonly quiesced: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Discrepancy {
  readonly kind: string;
  readonly detail: string;
}

export interface Reconciler {
  /** One whole round. Answers what it found. */
  check(): Promise<Discrepancy[]>;
  openAlarms(): number;
  start(): void;
  close(): Promise<void>;
}

type OrderSums = Awaited<ReturnType<ReconcilerStore['openOrderSums']>>;

/** What orders hold, by account: the open ones notional for buys and base units for sells, the waiting ones theirs. */
function heldByOrders(
  markets: readonly MarketSpec[],
  sums: OrderSums,
  waiting: readonly UntriggeredOrder[],
): Map<number, bigint> {
  const held = new Map<number, bigint>();
  for (const order of waiting) {
    const market = markets[order.market];
    if (market === undefined) continue;
    const asset = order.side === BUY ? market.quote : market.base;
    const account = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset.id);
    held.set(account, (held.get(account) ?? 0n) + untriggeredHold(market, order));
  }
  for (const { owner, market: id, side, ticks_lots, lots } of sums) {
    const market = markets[id];
    if (market === undefined) continue;
    const isBuy = side === BUY;
    const asset = isBuy ? market.quote : market.base;
    const amount = isBuy ? ticks_lots * quoteUnitsPerTickLot(market) : lots * baseUnitsPerLot(market);
    const account = accountKey(owner, Wallet.SPOT, Bucket.HELD, asset.id);
    held.set(account, (held.get(account) ?? 0n) + amount);
  }
  return held;
}

function heldDiscrepancies(expected: Map<number, bigint>, found: Map<number, bigint>): Discrepancy[] {
  const accounts = new Set([...expected.keys(), ...found.keys()]);
  return [...accounts]
    .filter((account) => (expected.get(account) ?? 0n) !== (found.get(account) ?? 0n))
    .map((account) => ({
      kind: 'held-differs-from-orders',
      detail: `account ${account}: open and waiting orders hold ${expected.get(account) ?? 0n}, the balance says ${found.get(account) ?? 0n}`,
    }));
}

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { store, logger, clock } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let openAlarms = 0;

  async function findDiscrepancies(): Promise<Discrepancy[]> {
    const { proven, projected } = await store.progress();
    const [imbalances, unbalanced, drifted, sums, waiting, held] = [
      await store.imbalances(),
      await store.unbalancedTransactions(proven),
      await store.driftedBalances(proven),
      await store.openOrderSums(),
      await store.untriggeredOrders(),
      await store.heldBalances(),
    ];
    const heldNow = new Map(held.map(({ account, amount }) => [account, amount]));
    const found = [
      ...imbalances.map(({ asset, total }) => ({
        kind: 'asset-does-not-sum-to-zero',
        detail: `asset ${asset}: all accounts sum to ${total}`,
      })),
      ...unbalanced.map(({ batch, sequence }) => ({
        kind: 'unbalanced-ledger-transaction',
        detail: `batch ${batch}, sequence ${sequence}`,
      })),
      ...drifted.map(({ account, expected, found: amount }) => ({
        kind: 'balance-differs-from-ledger',
        detail: `account ${account}: the ledger says ${expected}, the balance ${amount}`,
      })),
      ...heldDiscrepancies(heldByOrders(deps.markets, sums, waiting), heldNow),
    ];
    // Only what was proven right becomes the ground for the next round.
    if (found.length === 0) await store.advance(proven, projected);
    return found;
  }

  async function check(): Promise<Discrepancy[]> {
    const found = await deps.quiesced(findDiscrepancies);
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
    start: schedule,
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}
