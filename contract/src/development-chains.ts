/** The chains that development makes in its own process: blocks, coins and reorganizations on demand. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { networkName } from './deposits.ts';
import { decimal } from './fields.ts';
import { coinCode } from './transfers.ts';

const tag = 'Development';

const chain = z.object({
  network: networkName,
  height: z.number().int(),
  /** Newest first. */
  blocks: z.array(
    z.object({
      height: z.number().int(),
      hash: z.string(),
      time: z.number().int(),
      payments: z.array(
        z.object({ transaction: z.string(), coin: z.string(), address: z.string(), amount: z.string() }),
      ),
    }),
  ),
  /** Sent, and in no block yet. */
  waiting: z.array(z.object({ transaction: z.string(), coin: z.string(), address: z.string(), amount: z.string() })),
});

const answer = z.object({ chain });

export const developmentChains = defineCall({
  methods: ['GET'],
  path: '/api/dev/chains',
  access: 'public',
  tag,
  summary: 'The chains of development, with their last blocks',
  answer: z.object({ chains: z.array(chain) }),
  developmentOnly: true,
});

export const sendOnChain = defineCall({
  methods: ['POST'],
  path: '/api/dev/chains/send',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Send coins to an address, as from outside',
  body: z.object({ network: networkName, coin: coinCode, address: z.string().trim().min(1).max(100), amount: decimal }),
  answer: z.object({ transaction: z.string(), chain }),
  developmentOnly: true,
});

export const mineBlocks = defineCall({
  methods: ['POST'],
  path: '/api/dev/chains/mine',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Make blocks at once',
  body: z.object({ network: networkName, blocks: z.number().int().min(1).max(100) }),
  answer,
  developmentOnly: true,
});

export const reorganizeChain = defineCall({
  methods: ['POST'],
  path: '/api/dev/chains/reorganize',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Replace the last blocks by one more of others, with or without the payments that were in them',
  body: z.object({
    network: networkName,
    depth: z.number().int().min(1).max(100),
    payments: z.enum(['KEEP', 'DROP']),
  }),
  answer,
  developmentOnly: true,
});
