/** A wallet of the person's own, connected in the browser: what its address has on Ethereum. Nothing of it is kept. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, timeMs } from './fields.ts';

const movement = z.object({
  transaction: z.string(),
  /** ETH, or a listed token. */
  coin: z.string(),
  direction: z.enum(['IN', 'OUT']),
  amount: decimalOut,
  /** Who has paid or was paid; null where the chain does not say. */
  other: z.string().nullable(),
  time: timeMs,
});

export const web3Connect = defineCall({
  methods: ['GET'],
  path: '/api/v3/web3-connect',
  access: 'holder',
  keys: 'never',
  tag: 'Wallets',
  summary: "The balance and the newest payments of an address, by the exchange's own node",
  query: z.object({
    web3_wallet: z
      .string()
      .trim()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'Not a valid wallet address'),
    /** What the wallet calls itself; older clients send both, and neither is kept. */
    provider: z.string().max(100, 'Use at most {{maximum}} characters').optional(),
    uid: z.string().max(100, 'Use at most {{maximum}} characters').optional(),
  }),
  answer: z.object({
    message: z.literal('success'),
    web3: z.object({
      wallet_address: z.string(),
      eth_balance: decimalOut,
      /** Newest first. */
      history: z.array(movement),
      /** The first block that was looked at. */
      since_block: z.number().int(),
      /** Nodes can be asked for the payments of tokens, not for those of ETH: then only tokens are listed. */
      lists_eth: z.boolean(),
      /** Of the chain that development makes in its own process. */
      is_development: z.boolean(),
    }),
  }),
});
