/** The wiring of identity: who is there, how he comes in, what protects him, and what operators do about it. */

import type { AppDeps } from '../app.ts';
import type { Config } from '../config.ts';
import type { WalletService } from '../funds/overview/service.ts';
import { createAudit, createAuditStore } from '../operator/audit/service.ts';
import { createOutbox, createSmtpMailer } from '../people/mail/service.ts';
import { createHttpSms, createSmsOutbox } from '../people/sms/service.ts';
import { originReader } from '../platform/origin.ts';
import { createProxies } from '../platform/proxies.ts';
import { createSealing, readSecretsKey } from '../platform/sealing.ts';
import { siteReader } from '../platform/site.ts';
import { createAccountService, createOperatorLinks, type SecondFactor } from './accounts/service.ts';
import { createFactorStore, createPasskeys, createTotp } from './factors/service.ts';
import { createOAuth, developmentProvider, type ProviderName, type ProviderSettings } from './oauth/service.ts';
import { createProfile } from './profile/service.ts';
import { createPrivacyStore, createSecurity, createSecurityStore } from './security/service.ts';
import { createWalletSignIn } from './wallet-sign-in/service.ts';

const DAY_MS = 86_400_000;

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

export interface IdentityDeps extends AppDeps {
  readonly tierOf: (clientId: number) => Promise<number>;
}

export async function createIdentity({ config, database, clock, logger, tierOf }: IdentityDeps) {
  const outbox = config.SMTP_URL === undefined ? createOutbox(clock) : undefined;
  const smsOutbox = config.SMS_URL === undefined ? createSmsOutbox(clock) : undefined;
  const sms = smsOutbox ?? createHttpSms({ url: config.SMS_URL ?? '', token: config.SMS_TOKEN, from: config.SMS_FROM });
  const sealing = createSealing(readSecretsKey(config.SECRETS_KEY, config.DATA_DIR));
  const factorStore = createFactorStore(database);
  const named = { store: factorStore, siteName: config.SITE_NAME, clock };
  const totp = createTotp({ ...named, sealing });
  const passkeys = createPasskeys(named);
  const hasTotp = async (clientId: number) => (await totp.enabledAt(clientId)) !== null;
  const secondFactor: SecondFactor = { isRequired: hasTotp, check: totp.check };
  const accounts = await createAccountService({
    database,
    mailer: outbox ?? createSmtpMailer(config.SMTP_URL ?? '', config.MAIL_FROM),
    sealing,
    secondFactor,
    tierOf,
    sessionLifetimeMs: config.SESSION_DAYS * DAY_MS,
    isThrottled: config.RATE_LIMIT_PER_MINUTE > 0,
    hasSms: !config.isProduction || config.SMS_URL !== undefined,
    logger,
    clock,
  });
  return {
    outbox,
    smsOutbox,
    sms,
    sealing,
    mailer: accounts.mailer,
    accounts,
    totp,
    passkeys,
    hasTotp,
    oauth: createOAuth({ providers: providersOf(config), logger, clock }),
    walletSignIn: createWalletSignIn({ siteName: config.SITE_NAME, rpcUrl: config.ETH_RPC_URL, clock }),
    audit: createAudit({ store: createAuditStore(database), clock }),
    originOf: originReader(config.PLACE_HEADER, createProxies(config.TRUST_PROXY)),
    siteOf: siteReader(config.PUBLIC_URL, config.isProduction),
  };
}

export interface ProtectionDeps extends IdentityDeps {
  readonly identity: IdentityParts;
  readonly wallets: Pick<WalletService, 'movedSince'>;
  /** Anything in any wallet. */
  readonly hasFunds: (clientId: number) => boolean;
}

/** What stands on the wallets as well: the security centre and the profile. */
export function createProtection(deps: ProtectionDeps) {
  const { config, database, clock, logger, tierOf, identity, wallets, hasFunds } = deps;
  const { accounts, audit, sealing, totp, passkeys, sms } = identity;
  const privacy = createPrivacyStore(database);
  const security = createSecurity({
    store: createSecurityStore(database),
    privacy,
    accounts,
    totp,
    passkeys,
    audit,
    sealing,
    hasFunds,
    leftSince: async (clientId, since) => (await wallets.movedSince(clientId, since)).left,
    logger,
    clock,
  });
  const profile = createProfile({
    accounts,
    tierOf,
    sms,
    siteName: config.SITE_NAME,
    movedSince: wallets.movedSince,
    clock,
  });
  const { sessions } = accounts;
  /** A session's token, or an API key. */
  const authenticate = (token: string) =>
    security.keys.isKey(token) ? security.keys.authenticate(token) : sessions.authenticate(token);
  const operatorLinks = createOperatorLinks({
    database,
    audit,
    passwords: accounts.passwords,
    async revoke(clientId) {
      await sessions.endAll(clientId);
      await security.keys.revoke(clientId);
    },
    anonymise: (clientId) => privacy.anonymise(clientId, clock.now()),
    logger,
    clock,
  });
  return { security, profile, authenticate, operatorLinks };
}

export type Protection = ReturnType<typeof createProtection>;
export type IdentityParts = Awaited<ReturnType<typeof createIdentity>>;
