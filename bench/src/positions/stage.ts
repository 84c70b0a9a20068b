/** Many positions: half of them isolated, the others cross over three markets, all against one house. */
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { MAXIMUM_AMOUNT } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { listing } from '@cambist/core/simulation/markets.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';

const USDT: Asset = { id: 0, code: 'USDT', scale: 6 };
/** Ticks: 1,000 USDT. */
export const PRICE = 10_000;
export const HOUSE = 99_999_999;
const FIRST_OWNER = 1_000;
/** 0.01 of a coin: 10 USDT. */
const LOTS = 10;
const LEVERAGED = 10_000_000n;

export interface Owners {
  readonly isolated: number;
  readonly cross: number;
  readonly leverage: number;
}

export const PERPETUALS: readonly MarketSpec[] = ['BTC', 'ETH', 'SOL'].map((code, place) => ({
  id: place + 1,
  symbol: `${code}-USDT-SWAP`,
  base: { id: place + 1, code, scale: 8 },
  quote: USDT,
  ...{ tickScale: 1, lotScale: 3, minimumLots: 1, maximumLots: 2_000_000_000, minimumNotional: 0n, priceBandPpm: 0 },
  perpetual: {
    ...{ makerPpm: 200, takerPpm: 500, markClampPpm: 0 },
    tiers: [{ maximumNotional: MAXIMUM_AMOUNT, maximumLeverage: 50, maintenancePpm: 10_000 }],
    funding: {
      intervalMs: 3_600_000,
      interestPpb: 100_000,
      dampPpb: 500_000,
      capPpb: 30_000_000,
      impactValue: 1_000_000n,
    },
  },
}));

/** @returns the time of the last command */
export function openPositions(exchange: FastExchange, { isolated, cross, leverage }: Owners, time: number): number {
  for (const command of listing(PERPETUALS)) exchange.apply(0, command);
  for (const { id } of PERPETUALS) exchange.apply(time, { kind: 'set-index-price', market: id, price: PRICE });
  const deposit = (owner: number, amount: bigint) =>
    exchange.restoreBalance(accountKey(owner, Wallet.FUTURE, Bucket.AVAILABLE, USDT.id), amount);
  deposit(HOUSE, 10n ** 15n);
  exchange.restoreBalance(accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, USDT.id), 10n ** 12n);
  let orderId = 0;
  const order = (owner: number, market: MarketSpec, side: Side, quantity: number) => {
    orderId += 1;
    const terms = {
      type: 'limit',
      timeInForce: 'GTC',
      price: PRICE,
      quoteTotal: 0n,
      selfTrade: 'CANCEL_NEWEST',
    } as const;
    const placed = { kind: 'place-order', orderId, owner, market: market.id, side, quantity, ...terms } as const;
    const outcome = exchange.apply(time, placed);
    if (!outcome.ok) throw new Error(`an order was refused: ${outcome.reason}`);
  };
  const all = isolated + cross;
  for (const market of PERPETUALS) order(HOUSE, market, SELL, LOTS * all);
  for (let place = 0; place < all; place += 1) {
    const owner = FIRST_OWNER + place;
    const isIsolated = place < isolated;
    deposit(owner, isIsolated ? LEVERAGED / BigInt(leverage) + 10_000n : (3n * LEVERAGED) / BigInt(leverage) + 30_000n);
    for (const market of isIsolated ? [PERPETUALS[place % 3]!] : PERPETUALS) {
      exchange.apply(time, { kind: 'set-leverage', owner, market: market.id, leverage, isIsolated });
      order(owner, market, BUY, LOTS);
    }
    if (place % 500 === 0) exchange.recycle(exchange.takeBatch());
  }
  exchange.recycle(exchange.takeBatch());
  return time;
}
