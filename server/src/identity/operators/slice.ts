/** The link of a new operator as a slice, and the carrying out of what the operator command has decided in tables. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveOperatorLinks } from './routes.ts';
import { createOperatorLinks, type OperatorLinkDeps } from './service.ts';

/** How long what the operator command ended may go on in a running server. */
const REVOKE_MS = 1000;

export function createOperatorsSlice(
  { database, logger, clock }: Platform,
  parts: Pick<OperatorLinkDeps, 'audit' | 'passwords' | 'revoke' | 'anonymise'>,
): Slice {
  const links = createOperatorLinks({ ...parts, database, logger, clock });
  return {
    routes: (calls) => serveOperatorLinks(calls, links),
    jobs: [{ name: 'carry out revocations', everyMs: REVOKE_MS, run: links.carryOut }],
    prepare: links.carryOut,
  };
}
