/** An operator's calls about messages that could not be sent. */
import { retryMessage, unsentMessages } from '@cambist/contract/operations.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Audit } from '../audit/service.ts';

const notThere = new Refusal(404, 'MESSAGE_NOT_FOUND', 'There is no such message that can still be sent.');

export interface OutboxRouteDeps {
  readonly outbox: Pick<Outbox, 'dead' | 'retry'>;
  readonly audit: Pick<Audit, 'record'>;
}

export function serveOutbox(calls: CallServer, { outbox, audit }: OutboxRouteDeps): void {
  calls.serve(unsentMessages, async ({ query }) => {
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const messages = await outbox.dead(before, query.limit);
    return { messages: messages.map((message) => ({ ...message, id: String(message.id) })) };
  });

  calls.serve(retryMessage, async ({ identity, params, http }) => {
    const detail = { message: params.id };
    await audit.record({ actorId: identity.clientId, act: 'retry-message', detail, address: http.ip });
    return (await outbox.retry(Number(params.id))) ? { message: 'success' as const } : notThere;
  });
}
