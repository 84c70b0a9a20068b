/** One coin of a client: what there is, what it has cost and gained, and what came and went. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { costBasis } from './cost-basis.ts';
import { deposit } from './deposits.ts';
import { decimalOut } from './fields.ts';
import { coinCode } from './transfers.ts';
import { withdrawal } from './withdrawals.ts';

const tag = 'Wallets';
const name = z.object({ name: coinCode });

export const coinSpotPnl = defineCall({
  methods: ['GET'],
  path: '/api/v3/coin-spot-pnl',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'What all coins that are held have gained over what they have cost',
  answer: z.object({
    /** USDT, at the last prices and before the fee of a sale; null while a long history is still being read. */
    spotProfit: decimalOut.nullable(),
    /** Of what they have cost; null where that was nothing. */
    spotPercentage: decimalOut.nullable(),
    /** Coins whose cost or price is not known: they count in neither. */
    left_out: z.array(z.string()),
  }),
});

export const walletSingleCoin = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallet-single-coin',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One coin of the spot wallet, with its price and the newest deposits and withdrawals',
  query: name,
  answer: z.object({
    coin: z.object({ name: z.string(), full_name: z.string(), image: z.string() }),
    /** In the spot wallet, whether it is available or not. */
    balance: decimalOut,
    available_balance: decimalOut,
    /** Held by open orders, and by transfers that are underway. */
    unavailable_balance: decimalOut,
    usdt_value: decimalOut,
    /** In USDT, of the last trade; null where no market prices the coin. */
    price: z.object({ close: decimalOut.nullable() }),
    /** Newest first. */
    deposit: z.array(deposit),
    withdraw: z.array(withdrawal),
  }),
});

export const walletSingleCoinPnl = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallet-single-coin-pnl',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'What one coin has cost, has gained by sales, and would gain at the last price',
  query: name,
  answer: z.object({
    complete: costBasis.answer.shape.complete,
    /** Null for a coin that was never held, and for USDT. */
    pnl: costBasis.answer.shape.coins.element
      .extend({
        /** At the last price and before the fee of a sale; null where cost or price is not known. */
        unrealized: decimalOut.nullable(),
        /** Of the cost; null where that was nothing. */
        unrealized_percentage: decimalOut.nullable(),
      })
      .nullable(),
  }),
});
