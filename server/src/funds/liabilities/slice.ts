/** The proof of liabilities as a slice: a run each day, and on demand. */
import { join } from 'node:path';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createReserveStore } from './reserve-store.ts';
import { type ReserveDeps, ReserveStatements } from './reserves.ts';
import { serveLiabilities } from './routes.ts';
import { Liabilities, type LiabilitiesDeps } from './service.ts';
import { createLiabilityStore } from './store.ts';

const HOUR_MS = 3_600_000;
/** How often it is looked at whether a run is due. */
const LOOK_MS = 10 * 60_000;
/** A new exchange has its first one soon. */
const FIRST_MS = 60_000;

export interface LiabilitiesParts {
  /** Undefined without durability: nothing is stored that could be proved. */
  readonly snapshots: { readonly current: LiabilitiesDeps['snapshot'] } | undefined;
  readonly engine: Pick<Engine, 'sequencer' | 'projector'>;
  readonly accounts: Pick<AccountService, 'accountPages'>;
  readonly audit: AuditLog;
  readonly chains: ReserveDeps['chains'];
  readonly networks: ReserveDeps['networks'];
  readonly signer: ReserveDeps['signer'];
  readonly ownPayouts: Pick<ReserveDeps, 'atAddresses'>;
}

export function createLiabilitiesSlice(platform: Platform, parts: LiabilitiesParts): Slice {
  const { snapshots, engine, accounts, audit, chains, networks, signer, ownPayouts } = parts;
  const { config, database, encryption, clock, logger } = platform;
  const liabilities = new Liabilities({
    ...{ encryption, clock, logger },
    store: createLiabilityStore(database),
    reserves: new ReserveStatements({
      ...{ chains, networks, signer, clock, logger, bitcoin: config.BTC_NETWORK },
      atAddresses: ownPayouts.atAddresses,
      store: createReserveStore(database),
    }),
    // What is stored when it is asked for is in it.
    async snapshot() {
      await engine.sequencer.settled();
      await engine.projector.caughtUp();
      return snapshots?.current();
    },
    async *accounts() {
      for await (const page of accounts.accountPages())
        yield page.map(({ id, unique_id, email }) => ({ owner: id, uid: unique_id, email }));
    },
    directory: join(config.DATA_DIR, 'liabilities'),
  });
  const makeDue = () => liabilities.makeAfter(config.LIABILITIES_HOURS * HOUR_MS);
  return {
    routes: (calls) => serveLiabilities(calls, { liabilities, audit }),
    jobs: [
      { name: 'liabilities', everyMs: LOOK_MS, run: makeDue },
      { name: 'first proof of liabilities', everyMs: FIRST_MS, run: () => liabilities.makeFirst() },
    ],
    stop: () => liabilities.close(),
  };
}
