/** The security centre as a slice: step-ups, API keys, and the person's data. */
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Identity, Refusal } from '../../platform/calls.ts';
import { type PersonalData, personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { AccountService } from '../accounts/service.ts';
import type { Passkeys, Totp } from '../factors/service.ts';
import { serveAccess } from './access-routes.ts';
import { serveFactors } from './factor-routes.ts';
import { serveSecurity } from './routes.ts';
import { createSecurity, createSecurityStore, type NewAddress, type Security } from './service.ts';
import { securityTables } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EXPORT_MS = 10_000;
const RETRY_MS = 2_000;

export interface SecurityParts {
  readonly accounts: AccountService;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  /** @returns whether there were any */
  readonly removeFactors: (by: Authority, clientId: number) => Promise<boolean>;
  readonly audit: AuditLog;
  /** Of every slice, this one too. */
  readonly personalData: () => readonly PersonalData[];
  /** Anything in any wallet. */
  readonly hasFunds: (clientId: number) => boolean;
  /** USDT that left since a moment. */
  readonly leftSince: (clientId: number, since: number) => Promise<string>;
  /** The refusal of an address that nothing could be withdrawn to. */
  readonly unfitAddress: (entry: NewAddress) => Promise<Refusal | undefined>;
}

export interface SecuritySlice extends Slice {
  readonly security: Security;
  /** Ends every session and key of a client, in memory too. */
  readonly revoke: (clientId: number) => Promise<void>;
  /** Of an account whose deletion is due. */
  readonly anonymise: (clientId: number) => Promise<unknown>;
  /** Whose token it is: of a session, or an API key. */
  readonly authenticate: (token: string) => Promise<Identity | undefined> | Identity | undefined;
  /** The same rules for whoever stays connected: what ends, freezes or closes an account is told at once. */
  readonly authority: {
    readonly authenticate: SecuritySlice['authenticate'];
    readonly blockOf: AccountService['states']['blockOf'];
    readonly onState: AccountService['states']['onState'];
    /** @returns how to stop listening */
    readonly onEnd: (listener: Parameters<Security['keys']['onEnd']>[0]) => () => void;
  };
}

export function createSecuritySlice(platform: Platform, parts: SecurityParts): SecuritySlice {
  const { database, encryption, outbox, logger, clock, siteOf } = platform;
  const { accounts, totp, passkeys } = parts;
  const store = createSecurityStore(database);
  const security = createSecurity({ ...parts, store, encryption, outbox, logger, clock });
  const { sessions, states } = accounts;
  const authenticate: SecuritySlice['authenticate'] = (token) =>
    security.keys.isKey(token) ? security.keys.authenticate(token) : sessions.authenticate(token);
  return {
    security,
    async revoke(clientId) {
      await sessions.endAll(clientId);
      await security.keys.revoke(clientId);
    },
    anonymise: security.privacy.erase,
    personalData: personalDataOf(database, securityTables),
    authenticate,
    authority: {
      authenticate,
      blockOf: states.blockOf,
      onState: states.onState,
      onEnd(listener) {
        const stops = [sessions.onEnd(listener), security.keys.onEnd(listener)];
        return () => {
          for (const stop of stops) stop();
        };
      },
    },
    routes(calls) {
      const served = { accounts, security, totp, passkeys, siteOf, unfitAddress: parts.unfitAddress };
      serveSecurity(calls, served);
      serveFactors(calls, served);
      serveAccess(calls, served);
    },
    jobs: [
      { name: 'gather exports', everyMs: EXPORT_MS, run: security.privacy.gatherWaiting },
      { name: 'delete accounts', everyMs: HOUR_MS, run: security.privacy.deleteDue },
      { name: 'note last uses of keys', everyMs: MINUTE_MS, run: security.keys.flushUses },
      { name: 'finish endings of keys', everyMs: RETRY_MS, run: security.keys.finishEndings },
    ],
  };
}
