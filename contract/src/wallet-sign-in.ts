/**
 * Sign-in with a wallet extension: ask for a message (EIP-4361) over a nonce that is good once and for five minutes,
 * have the wallet sign exactly that text (`personal_sign`), and send it back. An unknown address gets an
 * account; contract wallets are asked by EIP-1271 where the operator has set a node.
 */
import { z } from 'zod';
import { signedIn } from './accounts.ts';
import { defineCall } from './call.ts';
import { secondFactor } from './fields.ts';

const tag = 'Wallet sign-in';
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Not a valid wallet address');

export const walletNonce = defineCall({
  methods: ['POST'],
  path: '/api/v3/web3-login/nonce',
  access: 'public',
  tag,
  summary: 'The message that the wallet is to sign',
  body: z.object({ address, chain_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(1) }),
  answer: z.object({ message: z.string(), nonce: z.string(), expires_at: z.number().int() }),
  sensitive: true,
});

export const web3Login = defineCall({
  methods: ['POST'],
  path: '/api/v3/web3-login',
  access: 'public',
  tag,
  summary: 'Sign in with the signed message; username is the wallet address',
  body: z.object({
    username: address,
    message: z.string().min(1, 'Field is required').max(2000, 'Use at most {{maximum}} characters'),
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]*$/, 'Not a valid signature')
      .max(8192, 'Not a valid signature'),
    second_factor: secondFactor,
  }),
  answer: signedIn,
  sensitive: true,
});
