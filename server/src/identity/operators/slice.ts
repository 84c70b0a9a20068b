/** The link of a new operator as a slice, and the carrying out of what the operator command has decided in tables. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { createOperatorStore } from '../accounts/service.ts';
import { serveOperatorLinks } from './routes.ts';
import { createOperatorLinks, type OperatorLinkDeps } from './service.ts';

/** How long what the operator command ended may go on in a running server. */
const REVOKE_MS = 1000;

export interface OperatorsSlice extends Slice {
  /** Client numbers of operators who have set their passwords. */
  readonly operatorIds: () => Promise<number[]>;
}

export function createOperatorsSlice(
  { database, logger, clock }: Platform,
  parts: Pick<OperatorLinkDeps, 'audit' | 'passwords' | 'revoke' | 'anonymise'>,
): OperatorsSlice {
  const links = createOperatorLinks({ ...parts, database, logger, clock });
  const store = createOperatorStore(database);
  return {
    operatorIds: async () => (await store.operators()).flatMap(({ id, is_set_up }) => (is_set_up ? [id] : [])),
    routes: (calls) => serveOperatorLinks(calls, links),
    jobs: [{ name: 'carry out revocations', everyMs: REVOKE_MS, run: links.carryOut }],
    prepare: links.carryOut,
  };
}
