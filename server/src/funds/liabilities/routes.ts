/** The calls of the proof of liabilities. Leaves are for everybody, so few files of them are written at a time. */
import {
  liabilityLeaves,
  liabilityRuns,
  makeLiabilityRun,
  ownLiabilities,
  reserves,
} from '@cambist/contract/liabilities.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, Download, identityOf, Refusal } from '../../platform/calls.ts';
import type { Liabilities, LiabilitiesError } from './service.ts';

const MAXIMUM_FILES = 4;
const RETRY_SECONDS = 10;
/** A run of many clients takes minutes: who asked for it is not kept waiting so long. */
const PATIENCE_MS = 8_000;

function refused({ kind }: LiabilitiesError): Refusal {
  if (kind === 'unknown-coin') return new Refusal(404, 'UNKNOWN_COIN', 'There is no such coin in this run.');
  if (kind === 'closed')
    return new Refusal(410, 'RUN_CLOSED', 'The trees of this run are no longer kept. Ask for the newest one.');
  return new Refusal(404, 'NO_RUN', 'There is no such run yet.');
}

const isError = (answer: object): answer is LiabilitiesError => 'kind' in answer;

export interface LiabilityRoutesDeps {
  readonly liabilities: Liabilities;
  readonly audit: AuditLog;
}

export function serveLiabilities(calls: CallServer, { liabilities, audit }: LiabilityRoutesDeps): void {
  let files = 0;

  calls.serve(liabilityRuns, async () => ({ runs: await liabilities.runs() }));

  calls.serve(ownLiabilities, async ({ identity, query }) => {
    const own = await liabilities.of(identityOf(identity).clientId, query.batch);
    return isError(own) ? refused(own) : own;
  });

  calls.serve(reserves, async ({ query }) => {
    const stated = await liabilities.reserves(query.batch);
    return isError(stated) ? refused(stated) : stated;
  });

  calls.serve(liabilityLeaves, async ({ query }) => {
    if (files >= MAXIMUM_FILES) {
      const headers = { 'retry-after': String(RETRY_SECONDS) };
      return new Refusal(429, 'BUSY', 'Others are being served. Try again in some seconds.', headers);
    }
    files += 1;
    let isTaken = true;
    const release = () => {
      if (isTaken) files -= 1;
      isTaken = false;
    };
    try {
      const text = await liabilities.leaves(query.batch, query.coin);
      if (!isError(text)) return new Download(`liabilities-${query.batch}-${query.coin}.txt`, text, release);
      release();
      return refused(text);
    } catch (error) {
      release();
      throw error;
    }
  });

  calls.serve(makeLiabilityRun, async ({ identity }) => {
    await audit.record({ actorId: identityOf(identity).clientId, act: 'prove-liabilities' });
    const waited = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
    const run = await Promise.race([liabilities.make(), waited]);
    return run !== null && isError(run) ? refused(run) : { run };
  });
}
