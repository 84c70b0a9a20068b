/** Accounts as a slice: who is a client, every way in, and second factors. */
import type { Config } from '../../config.ts';
import type { Authority } from '../../platform/authority.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import {
  createFactorStore,
  createPasskeys,
  createTotp,
  factorTables,
  type Passkeys,
  type Totp,
} from '../factors/service.ts';
import {
  createOAuth,
  developmentProvider,
  type OAuth,
  type ProviderName,
  type ProviderSettings,
} from '../oauth/service.ts';
import { createWalletSignIn } from '../wallet-sign-in/service.ts';
import { accountTables } from './client-store.ts';
import { serveEntries } from './entry-routes.ts';
import { serveAccounts } from './routes.ts';
import { type AccountService, createAccountService, type SecondFactor } from './service.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RETRY_MS = 2 * SECOND_MS;

type ProviderSource = () => Promise<ProviderSettings>;

/** What the operator has set; in development a provider of its own stands in for Google. */
function providersOf(config: Config): Partial<Record<ProviderName, ProviderSource>> {
  const known = (issuer: string, clientId?: string, clientSecret?: string, scope = 'openid') =>
    clientId && clientSecret ? async () => ({ issuer, clientId, clientSecret, scope }) : undefined;
  const google = known(config.GOOGLE_ISSUER, config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET, 'openid email');
  const apple = known(config.APPLE_ISSUER, config.APPLE_CLIENT_ID, config.APPLE_CLIENT_SECRET);
  const standIn = config.isProduction ? undefined : developmentProvider;
  return { ...((google ?? standIn) ? { google: google ?? standIn } : {}), ...(apple ? { apple } : {}) } as Partial<
    Record<ProviderName, ProviderSource>
  >;
}

export interface AccountParts {
  /** The fee tier of a client, 0 to 5. */
  readonly tierOf: (clientId: number) => Promise<number>;
}

export interface AccountsSlice extends Slice {
  readonly accounts: AccountService;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly hasTotp: (clientId: number) => Promise<boolean>;
  /** Removes every second factor of a client. @returns whether there were any */
  readonly removeFactors: (by: Authority, clientId: number) => Promise<boolean>;
  readonly oauth: OAuth;
}

export async function createAccountsSlice(platform: Platform, { tierOf }: AccountParts): Promise<AccountsSlice> {
  const { config, database, outbox, encryption, clock, logger, originOf, siteOf } = platform;
  const factors = createFactorStore(database);
  const named = { store: factors, siteName: config.SITE_NAME, clock };
  const totp = createTotp({ ...named, encryption });
  const passkeys = createPasskeys(named);
  const hasTotp = async (clientId: number) => (await totp.enabledAt(clientId)) !== null;
  const secondFactor: SecondFactor = { isRequired: hasTotp, check: totp.check };
  const accounts = await createAccountService({
    database,
    outbox,
    encryption,
    secondFactor,
    tierOf,
    passwordCost: platform.passwordCost,
    sessionLifetimeMs: config.SESSION_DAYS * DAY_MS,
    isThrottled: config.RATE_LIMIT_PER_MINUTE > 0,
    hasSms: !config.isProduction || config.SMS_URL !== undefined,
    logger,
    clock,
  });
  const oauth = createOAuth({ providers: providersOf(config), logger, clock });
  const wallets = createWalletSignIn({ siteName: config.SITE_NAME, rpcUrl: config.ETH_RPC_URL, clock });
  return {
    accounts,
    totp,
    passkeys,
    hasTotp,
    removeFactors: factors.removeAll,
    oauth,
    personalData: personalDataOf(database, {
      exported: { ...accountTables.exported, ...factorTables.exported },
      erased: [...accountTables.erased, ...factorTables.erased],
    }),
    routes(calls) {
      serveAccounts(calls, accounts, originOf);
      serveEntries(calls, { accounts, wallets, oauth, passkeys, originOf, siteOf });
    },
    jobs: [
      { name: 'end old sessions and codes', everyMs: HOUR_MS, run: accounts.deleteExpired },
      { name: 'mail pauses of withdrawals', everyMs: MINUTE_MS, run: accounts.restrictions.tellUntold },
      { name: 'note last uses', everyMs: MINUTE_MS, run: accounts.sessions.flushUses },
      { name: 'finish endings of sessions', everyMs: RETRY_MS, run: accounts.sessions.finishEndings },
    ],
  };
}
