/** How much may be written to support, counted in the statement that writes it. */
import type { Statement } from '../../platform/database.ts';

/** At most so many since a moment. */
export interface Quota {
  readonly since: number;
  readonly most: number;
}

/** How much a customer may still write, or visitors behind one address may still open. */
export interface Quotas {
  readonly messages: readonly Quota[];
  readonly conversations?: Quota;
  /** Where the address is counted. */
  readonly fromAddress?: Quota;
}

/**
 * A condition, and the numbers that it asks for. It counts what is committed, so the statement before it takes a lock
 * that others who count the same wait for.
 * @param first the number of its first parameter
 */
export function withinQuotas({ messages, conversations, fromAddress }: Quotas, first: number) {
  const parts: { readonly count: string; readonly quota: Quota }[] = [
    ...messages.map((quota) => ({
      count: `SELECT count(*) FROM support_messages AS m JOIN support_conversations AS c ON c.id = conversation_id
              WHERE customer_id = $1 AND author = 'customer' AND sent_at >`,
      quota,
    })),
    ...(conversations
      ? [
          {
            count: 'SELECT count(*) FROM support_conversations WHERE customer_id = $1 AND created_at >',
            quota: conversations,
          },
        ]
      : []),
    ...(fromAddress
      ? [
          {
            count: 'SELECT count(*) FROM support_conversations WHERE address = $2 AND created_at >',
            quota: fromAddress,
          },
        ]
      : []),
  ];
  return {
    sql: parts.map(({ count }, at) => `(${count} $${first + 2 * at}) < $${first + 2 * at + 1}`).join(' AND '),
    parameters: parts.flatMap(({ quota }) => [quota.since, quota.most]),
  };
}

/** Held to the end of the transaction: a name of ours as a number, since there may be no row yet. */
export const lockName = (name: string): Statement => ({
  sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
  parameters: [name],
});
export const lockCustomer = (id: number): Statement => ({
  sql: 'SELECT id FROM support_customers WHERE id = $1 FOR NO KEY UPDATE',
  parameters: [id],
});
