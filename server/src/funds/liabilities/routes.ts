/**
 * The calls of the proof of liabilities. Leaves are for everybody, so few files of them are written at a time, and one for each network:
 * who takes them slowly keeps them from no other.
 */
import {
  coldReservesFile,
  liabilityLeaves,
  liabilityRuns,
  makeLiabilityRun,
  ownLiabilities,
  reserves,
  signColdReserves,
} from '@cambist/contract/liabilities.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, Download, Refusal } from '../../platform/calls.ts';
import { FileSlots, guardedText } from '../../platform/files.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { ColdFault } from './reserves.ts';
import type { Liabilities, LiabilitiesError } from './service.ts';

const MAXIMUM_FILES = 4;
const RETRY_SECONDS = 10;
/** A run of many clients takes minutes: who asked for it is not kept waiting so long. */
const PATIENCE_MS = 8_000;

function refused({ kind }: LiabilitiesError): Refusal {
  if (kind === 'unknown-coin') return new Refusal(404, 'UNKNOWN_COIN', 'There is no such coin in this run.');
  if (kind === 'closed')
    return new Refusal(410, 'RUN_CLOSED', 'The trees of this run are no longer kept. Ask for the newest one.');
  if (kind === 'newer-account')
    return new Refusal(404, 'NEWER_ACCOUNT', 'Your account is newer than this run. The next one includes it.');
  return new Refusal(404, 'NO_RUN', 'There is no such run yet.');
}

const faults: Readonly<Record<ColdFault, Refusal>> = {
  UNREADABLE: new Refusal(422, 'UNREADABLE', 'This is not a signed statement of a cold wallet.'),
  OTHER_RUN: new Refusal(422, 'OTHER_RUN', 'This file belongs to a run that is not here.'),
  OTHER_ADDRESS: new Refusal(422, 'OTHER_ADDRESS', 'This address is no cold wallet of the run.'),
  NOT_SIGNED: new Refusal(422, 'NOT_SIGNED', 'The key of the cold wallet has not signed this statement.'),
  TWICE: new Refusal(409, 'ALREADY_SIGNED', 'This cold wallet has signed the run already.'),
};

const isError = (answer: object): answer is LiabilitiesError => 'kind' in answer;

export interface LiabilityRoutesDeps {
  readonly liabilities: Liabilities;
  readonly audit: AuditLog;
}

export function serveLiabilities(calls: CallServer, { liabilities, audit }: LiabilityRoutesDeps): void {
  const files = new FileSlots(MAXIMUM_FILES);

  calls.serve(liabilityRuns, async () => ({ runs: await liabilities.runs() }));

  calls.serve(ownLiabilities, async ({ identity, query }) => {
    const own = await liabilities.of(identity.clientId, query.batch);
    return isError(own) ? refused(own) : own;
  });

  calls.serve(reserves, async ({ query }) => {
    const stated = await liabilities.reserves(query.batch);
    return isError(stated) ? refused(stated) : stated;
  });

  calls.serve(liabilityLeaves, async ({ query, http }) => {
    const release = files.take(networkOf(http.ip));
    if (release === undefined) {
      const headers = { 'retry-after': String(RETRY_SECONDS) };
      return new Refusal(429, 'BUSY', 'An export is running already. Try again once it has ended.', headers);
    }
    try {
      const text = await liabilities.leaves(query.batch, query.coin);
      if (isError(text)) {
        release();
        return refused(text);
      }
      const ending = guardedText(text, async () => true, release);
      return new Download(`liabilities-${query.batch}-${query.coin}.txt`, ending, release);
    } catch (error) {
      release();
      throw error;
    }
  });

  calls.serve(coldReservesFile, async ({ params, query }) => {
    const file = await liabilities.coldFile(Number(params.batch), query.address);
    return isError(file) ? refused(file) : file;
  });

  calls.serve(signColdReserves, async ({ authority, body, http }) => {
    await audit.record({ actorId: authority.clientId, act: 'sign-cold-reserves', address: http.ip });
    const fault = await liabilities.signCold(body.file, authority);
    return fault === undefined ? { message: 'success' as const } : faults[fault];
  });

  calls.serve(makeLiabilityRun, async ({ identity }) => {
    await audit.record({ actorId: identity.clientId, act: 'prove-liabilities' });
    const waited = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
    const run = await Promise.race([liabilities.make(), waited]);
    return run !== null && isError(run) ? refused(run) : { run };
  });
}
