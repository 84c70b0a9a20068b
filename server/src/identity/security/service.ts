/** The security centre: what protects an account, what is missing, and what withdrawals must obey. */
import { ONE_STEP_LIMIT_USDT } from '@cambist/contract/security.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Authority } from '../../platform/authority.ts';
import type { AccountService, ClientRow, RestrictionRow } from '../accounts/service.ts';
import type { Passkeys, Totp } from '../factors/service.ts';
import { createKeys } from './keys.ts';
import { createPrivacy, type PrivacyDeps } from './privacy.ts';
import { createStepUp } from './step-up.ts';
import type { SecurityStore, WhitelistRow } from './store.ts';

export type { StepUp } from './step-up.ts';
export { createSecurityStore, securityTimes } from './store.ts';

export interface SecurityDeps extends Omit<PrivacyDeps, 'keys'> {
  readonly store: SecurityStore;
  readonly accounts: AccountService;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  /** @returns whether there were any */
  readonly removeFactors: (by: Authority, clientId: number) => Promise<boolean>;
  readonly audit: AuditLog;
  /** USDT that left since a moment. */
  readonly leftSince: (clientId: number, since: number) => Promise<string>;
}

export interface NewAddress {
  readonly label: string;
  readonly coin: string;
  readonly network: string;
  readonly address: string;
}

/** What a withdrawal must obey. */
export interface WithdrawalRules {
  readonly restrictions: readonly RestrictionRow[];
  /** USDT in 24 h; null without a cap. */
  readonly limitUsdt: number | null;
  /** USDT in 24 h that need no mailed code; 0 while one-step withdrawal is off. */
  readonly oneStepUsdt: number;
  readonly isWhitelistOnly: boolean;
}

const DAY_MS = 86_400_000;
const MAXIMUM_ADDRESSES = 100;

const points = {
  password: 10,
  transaction_password: 10,
  email: 10,
  two_factor: 25,
  passkey: 10,
  mobile: 10,
  anti_phishing: 10,
  whitelist_only: 10,
  withdraw_limit: 5,
} as const;
type CheckName = keyof typeof points;

function checksOf(row: ClientRow, hasTotp: boolean, passkeys: number) {
  const done: Readonly<Record<CheckName, boolean>> = {
    password: row.password_hash !== '',
    transaction_password: row.transaction_password_hash !== '',
    email: row.email !== '',
    two_factor: hasTotp,
    passkey: passkeys > 0,
    mobile: row.mobile_verified_at !== null,
    anti_phishing: row.anti_phishing_code !== '',
    whitelist_only: row.whitelist_only,
    withdraw_limit: row.withdraw_limit !== null,
  };
  return (Object.keys(points) as CheckName[]).map((name) => ({ name, done: done[name], points: points[name] }));
}

type ClientOf = (clientId: number) => Promise<ClientRow>;

function createClientOf({ accounts }: SecurityDeps): ClientOf {
  return async function client(clientId: number): Promise<ClientRow> {
    const row = await accounts.clients.clientById(clientId);
    if (row === undefined) throw new Error(`There is no client ${clientId}`);
    return row;
  };
}

/** What protects the account, and what is missing. */
function createOverview({ store, accounts, totp, passkeys, leftSince, clock }: SecurityDeps, client: ClientOf) {
  return async function overview(clientId: number) {
    const [row, enabledAt, codesLeft, own, held, list, open, last, used] = await Promise.all([
      client(clientId),
      totp.enabledAt(clientId),
      totp.recoveryCodesLeft(clientId),
      passkeys.list(clientId),
      accounts.restrictions.active(clientId),
      store.whitelist(clientId),
      accounts.sessions.list(clientId),
      accounts.lastSignIn(clientId),
      leftSince(clientId, clock.now() - DAY_MS),
    ]);
    const checks = checksOf(row, enabledAt !== null, own.length);
    const score = checks.reduce((sum, check) => sum + (check.done ? check.points : 0), 0);
    return {
      row,
      enabledAt,
      codesLeft,
      passkeys: own.length,
      held,
      list,
      sessions: open.length,
      last,
      used,
      checks,
      score,
    };
  };
}

/** What withdrawals must obey, and the addresses that they may go to. */
function createWithdrawalSettings({ store, accounts, clock }: SecurityDeps, client: ClientOf) {
  const { restrictions } = accounts;
  return {
    /** For withdrawals. */
    async withdrawalRules(clientId: number): Promise<WithdrawalRules> {
      const [row, held] = await Promise.all([client(clientId), restrictions.active(clientId)]);
      return {
        restrictions: held,
        limitUsdt: row.withdraw_limit,
        oneStepUsdt: row.one_step ? ONE_STEP_LIMIT_USDT : 0,
        isWhitelistOnly: row.whitelist_only,
      };
    },
    /** Whether an address is on the list and its 24 hours are over. */
    async isWhitelisted(clientId: number, coin: string, network: string, address: string): Promise<boolean> {
      const list = await store.whitelist(clientId);
      return list.some(
        (entry) =>
          entry.coin === coin &&
          entry.network === network &&
          entry.address === address &&
          entry.active_at <= clock.now(),
      );
    },
    whitelist: (clientId: number): Promise<WhitelistRow[]> => store.whitelist(clientId),
    async addAddress(by: Authority, entry: NewAddress): Promise<WhitelistRow | 'exist' | 'too-many'> {
      const now = clock.now();
      const added = { ...entry, created_at: now, active_at: now + DAY_MS };
      return restrictions.around(
        by.clientId,
        'whitelist',
        () => store.insertAddress(by, added, MAXIMUM_ADDRESSES),
        (row) => typeof row === 'object',
      );
    },
    removeAddress: store.deleteAddress,
  };
}

/** For a client who has lost the device, and the recovery codes with it; an operator has made sure who asks. */
function createReset({ accounts, removeFactors }: SecurityDeps) {
  /** Whoever is signed in, perhaps on the lost device, has to sign in again. @returns whether there were any factors */
  return async function resetFactors(by: Authority, clientId: number): Promise<boolean> {
    const remove = () => removeFactors(by, clientId);
    const isReset = await accounts.restrictions.around(clientId, 'factors-reset', remove, Boolean);
    if (isReset) await accounts.sessions.endAll(clientId);
    return isReset;
  };
}

/** The authenticator app; each change of it restricts withdrawals for a while. */
function createApp({ accounts, totp, audit }: SecurityDeps, client: ClientOf) {
  const { restrictions } = accounts;
  return {
    enrolTotp: async (by: Authority) => {
      const row = await client(by.clientId);
      return totp.enrol(by, row.email || row.unique_id);
    },
    enableTotp: (by: Authority, code: string): Promise<string[] | undefined> =>
      restrictions.around(
        by.clientId,
        'factor',
        () => totp.enable(by, code),
        (codes) => codes !== undefined,
      ),
    async disableTotp(by: Authority): Promise<void> {
      const { clientId } = by;
      await restrictions.around(clientId, 'factor', () => totp.disable(by));
      await audit.record({ actorId: clientId, act: 'disable-totp', clientId });
    },
  };
}

export function createSecurity(deps: SecurityDeps) {
  const { store, accounts, totp, passkeys, clock } = deps;
  const { clients, restrictions } = accounts;
  const client = createClientOf(deps);
  const keys = createKeys({ store, clock });
  const stepUp = createStepUp({ accounts, totp, passkeys, clock });

  return {
    client,
    keys,
    stepUp,
    privacy: createPrivacy({ ...deps, keys }),
    overview: createOverview(deps, client),
    ...createWithdrawalSettings(deps, client),
    ...createApp(deps, client),
    resetFactors: createReset(deps),

    /** Accounts elsewhere that may sign in here. */
    async connectedApps(clientId: number) {
      const rows = await clients.identitiesOf(clientId);
      return rows.map(({ provider, connected_at }) => ({
        id: provider,
        name: { google: 'Google', apple: 'Apple', wallet: 'Wallet' }[provider],
        permissions: ['sign-in'],
        since: connected_at,
      }));
    },
    /** Adds or removes a passkey. */
    changingPasskeys: <Result>(
      clientId: number,
      change: () => Promise<Result>,
      isMade: (result: Result) => boolean,
    ): Promise<Result> => restrictions.around(clientId, 'factor', change, isMade),
  };
}

export type Security = ReturnType<typeof createSecurity>;
