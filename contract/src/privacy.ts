/** The person's own data: a copy of all of it, and its deletion. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { rowId } from './fields.ts';

const tag = 'Security';
const success = z.literal('success');

export const dataExport = defineCall({
  methods: ['POST'],
  path: '/api/v3/account/exports',
  access: 'client',
  keys: 'never',
  stepUp: 'privacy',
  tag,
  summary: 'Gather everything that is kept about the person; asks for a step-up (privacy)',
  answer: z.object({ message: success, id: z.number().int() }),
});

export const dataExports = defineCall({
  methods: ['GET'],
  path: '/api/v3/account/exports',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Exports asked for; each can be fetched for seven days',
  answer: z.object({
    exports: z.array(
      z.object({
        id: z.number().int(),
        state: z.enum(['waiting', 'ready', 'failed']),
        asked_at: z.number().int(),
        expires_at: z.number().int(),
      }),
    ),
  }),
});

export const fetchDataExport = defineCall({
  methods: ['GET'],
  path: '/api/v3/account/exports/:id',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'The export itself, a JSON document',
  params: z.object({ id: rowId }),
  answer: z.record(z.string(), z.unknown()),
  sensitive: true,
});

export const deleteAccount = defineCall({
  methods: ['POST'],
  path: '/api/v3/account/deletion',
  access: 'client',
  keys: 'never',
  stepUp: 'privacy',
  tag,
  summary: 'Delete the account in 14 days, unless the person signs in before; asks for a step-up (privacy)',
  body: z.object({ confirm: z.literal('DELETE', 'Type DELETE') }),
  answer: z.object({ message: z.enum(['success', 'balance_left']), deletion_at: z.number().int().nullable() }),
});
