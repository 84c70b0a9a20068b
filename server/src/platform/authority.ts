/** What a request may do, held to by the transaction that does it: check and act are one step. */
import type { Statement } from './database.ts';

export interface Authority {
  readonly clientId: number;
  /** The session that must still be there; null where none is needed. */
  readonly sessionId: number | null;
  /** `clients.auth_epoch` under which the proof was given; null where the session is proof enough. */
  readonly epoch: number | null;
}

/** Of who is signed in, without a further proof. */
export const bySession = ({
  clientId,
  sessionId,
}: {
  readonly clientId: number;
  readonly sessionId: number;
}): Authority => ({
  clientId,
  sessionId,
  epoch: null,
});

/** Of the exchange itself; still one after another for each client. */
export const byExchange = (clientId: number): Authority => ({ clientId, sessionId: null, epoch: null });

/** The first statement of a transaction, which fails with `AuthorityEnded` where the authority has ended. */
export const holdAuthority = ({ clientId, sessionId, epoch }: Authority): Statement => ({
  sql: 'SELECT hold_authority($1, $2, $3)',
  parameters: [clientId, sessionId, epoch],
});

/** For the same transaction: proofs that were given before open nothing after it. */
export const moveEpoch = (clientId: number): Statement => ({
  sql: 'SELECT move_epoch($1)',
  parameters: [clientId],
});
