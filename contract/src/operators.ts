/**
 * The link that `npm run operator` prints. The page takes the token from the fragment, which never reaches a server or
 * its log, shows whose it is, and sets both passwords; the operator then signs in and connects an authenticator app.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';

const tag = 'Operators';
const token = z.string().regex(/^[\w-]{43}$/, 'Unknown code');

export const readOperatorLink = defineCall({
  methods: ['POST'],
  path: '/api/v3/operator-link/read',
  access: 'public',
  tag,
  summary: 'Whose link this is, and until when it is good',
  body: z.object({ token }),
  answer: z.object({ email: z.string(), expires_at: z.number().int() }),
  sensitive: true,
});

export const useOperatorLink = defineCall({
  methods: ['POST'],
  path: '/api/v3/operator-link/use',
  access: 'public',
  tag,
  summary: 'Set both passwords, once',
  body: z
    .object({
      token,
      password: z.string().min(9, 'Password must be at least 9 characters').max(256),
      transaction_password: z.string().min(6, 'Transaction password must be at least 6 characters').max(256),
    })
    .refine((body) => body.password !== body.transaction_password, {
      path: ['transaction_password'],
      message: 'The transaction password may not equal the password',
    }),
  answer: z.object({ message: z.literal('success') }),
  sensitive: true,
});
