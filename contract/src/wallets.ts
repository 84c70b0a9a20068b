/** Balances and what they are worth. */
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, pairName, timeMs } from './fields.ts';

const tag = 'Wallets';

/** The wallets whose contents belong to the client. */
export const wallet = z.enum(OWNED_WALLETS.map(({ name }) => name));

const coin = z.object({ name: z.string(), full_name: z.string(), image: z.string() });
/** Of one coin in USDT, of the last trade; null where no market prices it: then its `usdt_value` is 0 and says nothing. */
const price = decimalOut.nullable();

export const funds = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/funds',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Spot funds by coin',
  answer: z.object({
    funds: z.array(
      z.object({ coin, wallet_balance: decimalOut, freeze_balance: decimalOut, usdt_value: decimalOut, price }),
    ),
  }),
});

export const overview = defineCall({
  methods: ['GET'],
  path: '/api/v3/overview',
  access: 'holder',
  keys: 'read',
  tag,
  summary: "Totals in USDT and today's profit and loss",
  answer: z.object({
    overviewTotal: decimalOut,
    spotTotal: decimalOut,
    earnTotal: decimalOut,
    futureTotal: decimalOut,
    fundingTotal: decimalOut,
    /** Of every wallet, the documented ones too; their sum is the total. */
    wallets: z.array(z.object({ wallet, total: decimalOut })),
    /** Since midnight UTC, deposits and withdrawals left out; of positions what was closed, with fees and funding. */
    pnl: z.object({
      value: decimalOut,
      percentage: decimalOut,
      /** The same by wallet: the spot wallet's, the futures wallet's, and both. */
      pnl: decimalOut,
      futurePnl: decimalOut,
      futurePnlPercentage: decimalOut,
      totalPnl: decimalOut,
      totalPercentage: decimalOut,
    }),
    /** The five that are worth most, largest first; those that are worth nothing are left out. */
    topAssets: z.array(
      z.object({ name: z.string(), full_name: z.string(), image: z.string(), usdt_value: decimalOut }),
    ),
  }),
});

export const spotWallet = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallets/spot',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The spot wallet, every coin, largest value first',
  answer: z.object({
    wallet: z.array(
      z.object({
        name: z.string(),
        full_name: z.string(),
        image: z.string(),
        /** Available. */
        coin_value: decimalOut,
        /** Held by open orders. */
        freeze_value: decimalOut,
        usdt_value: decimalOut,
        price,
      }),
    ),
  }),
});

/** Three paths of older clients, one wallet. */
function futureWalletCall(path: string) {
  return defineCall({
    methods: ['GET'],
    path,
    access: 'holder',
    keys: 'read',
    tag,
    summary: 'The futures wallet, every coin, largest value first',
    answer: z.object({
      /** What all of it is worth in USDT. */
      walletTotal: decimalOut,
      wallet: z.array(
        z.object({
          name: z.string(),
          full_name: z.string(),
          image: z.string(),
          usdt_value: decimalOut,
          price,
          /** Everything in the wallet, with what open positions have gained or lost. */
          margin_balance: decimalOut,
          /** What open positions have gained or lost and not realised. */
          upnl: decimalOut,
          /** May be transferred or opened a position with. */
          available: decimalOut,
        }),
      ),
    }),
  });
}

export const futureWallet = futureWalletCall('/api/v3/wallets/future');
export const futureWalletV2 = futureWalletCall('/api/v2/future-wallet');
export const futureWalletV3 = futureWalletCall('/api/v3/future-wallet');

export const fundingWallet = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallets/funding',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The funding wallet, every coin, largest value first',
  answer: spotWallet.answer,
});

export const walletCoins = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallets/coins',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Any wallet, every coin, largest value first',
  query: z.object({ wallet }),
  answer: spotWallet.answer,
});

const HISTORY_DAYS = ['7', '30', '90'] as const;

export const balanceHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallets/balance-history',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'What everything in all wallets was worth in USDT at the end of each day (UTC), and is worth now',
  query: z.object({ days: z.enum(HISTORY_DAYS).default('30').transform(Number) }),
  answer: z.object({
    /** False while a long history is still being read: the points come once it is. */
    complete: z.boolean(),
    /** Oldest first: so many days that have ended, at their closing prices, and the current day at the last prices. */
    points: z.array(
      z.object({
        /** The beginning of the day. */
        time: timeMs,
        /** Null where a coin that was held had no price on that day. */
        value: decimalOut.nullable(),
        /** Those coins. */
        unpriced: z.array(z.string()),
      }),
    ),
    /** Coins that no market prices; they count nowhere, as in the total. */
    left_out: z.array(z.string()),
  }),
});

export const walletBalance = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallet-balance',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One coin of the spot wallet',
  query: z.object({ name: pairName }),
  answer: z.object({ wallet: z.object({ wallet_balance: decimalOut, freeze_balance: decimalOut }) }),
});
