/**
 * Sign-in through OpenID Connect: authorization code with PKCE, state and nonce. What the provider says of a person is
 * kept under a one-time code of ours, bound to the page that began by the hash of a secret that only it knows.
 */
import { hash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { createExpiring } from '../../platform/expiring.ts';
import type { Logger } from '../../platform/logger.ts';
import { newToken } from '../../platform/random-token.ts';
import type { Site } from '../../platform/site.ts';

export type ProviderName = 'google' | 'apple';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

export interface OAuthDeps {
  /** Asked when first needed. */
  readonly providers: Readonly<Partial<Record<ProviderName, () => Promise<ProviderSettings>>>>;
  readonly logger: Logger;
  readonly clock: { now(): number };
}

/** Who the provider says it is. */
export interface ProvenIdentity {
  readonly provider: ProviderName;
  readonly subject: string;
  /** Empty where the provider does not vouch for it. */
  readonly email: string;
}

interface Begun {
  readonly provider: ProviderName;
  readonly verifier: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly purpose: 'sign-in' | 'connect';
}

/** What a code is redeemed for; a connection is of the client whose page began it. */
export type Redemption =
  | { readonly purpose: 'sign-in' }
  | { readonly purpose: 'connect'; readonly provider: ProviderName; readonly clientId: number };

export type Returned =
  | { readonly ok: true; readonly code: string; readonly email: string; readonly purpose: Begun['purpose'] }
  | { readonly ok: false; readonly error: string };

interface Configured {
  readonly configuration: Configuration;
  readonly scope: string;
}

const LIFETIME_MS = 10 * 60_000;
const CODE_MS = 5 * 60_000;
const KEPT = 20_000;
const TIMEOUT_S = 10;

const hashOf = (secret: string) => hash('sha256', secret, 'base64url');
const client = () => import('openid-client');
const callbackOf = (site: Site, provider: ProviderName) => `${site.origin}/api/v3/auth/${provider}/callback`;

/** Loaded when first asked for: an installation for production does not have its package. */
export const developmentProvider = async (): Promise<ProviderSettings> =>
  (await import('./development-provider.ts')).startOpenIdProvider();

/** What the providers say of themselves, read once. */
function createConfigurations({ providers, logger }: OAuthDeps) {
  const configurations = new Map<ProviderName, Promise<Configured>>();

  async function discover(settings: () => Promise<ProviderSettings>): Promise<Configured> {
    const { issuer, clientId, clientSecret, scope } = await settings();
    const { allowInsecureRequests, discovery } = await client();
    const url = new URL(issuer);
    // Only a provider of development, on this machine, speaks without TLS.
    const isLocal = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
    const options = { timeout: TIMEOUT_S, ...(isLocal ? { execute: [allowInsecureRequests] } : {}) };
    return { configuration: await discovery(url, clientId, clientSecret, undefined, options), scope };
  }

  /** Discovered once; a failure is forgotten, so that the next asks again. */
  async function configurationOf(provider: ProviderName): Promise<Configured | undefined> {
    const settings = providers[provider];
    if (settings === undefined) return undefined;
    const known = configurations.get(provider) ?? discover(settings);
    configurations.set(provider, known);
    try {
      return await known;
    } catch (error) {
      configurations.delete(provider);
      logger.warn({ err: error, provider }, 'The sign-in provider cannot be reached');
      return undefined;
    }
  }

  return configurationOf;
}

/** Asks the provider who it is. */
async function exchange(configuration: Configuration, { provider, verifier, nonce }: Begun, url: URL, state: string) {
  const { authorizationCodeGrant } = await client();
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider sent no id token');
  // Apple writes it as text.
  const isVouched = claims.email_verified === true || claims.email_verified === 'true';
  const email = isVouched && typeof claims.email === 'string' ? claims.email : '';
  return { provider, subject: claims.sub, email };
}

/** One-time codes of ours for who was proven. */
function createProven(clock: OAuthDeps['clock']) {
  const proven = createExpiring<ProvenIdentity & Pick<Begun, 'challenge' | 'purpose'>>(clock, {
    lifetimeMs: CODE_MS,
    limit: KEPT,
  });

  return {
    /** @returns the code that stands for it */
    keep(identity: ProvenIdentity, { challenge, purpose }: Begun): string {
      const code = newToken();
      proven.put(code, { ...identity, challenge, purpose });
      return code;
    },

    /**
     * Who the one-time code stands for; a page that was not bound to it gets nothing. Of two that redeem it at once,
     * `consume` is true for one.
     */
    redeem(code: string, verifier: string, given: Redemption): (ProvenIdentity & { consume(): boolean }) | undefined {
      const entry = proven.peek(code);
      const secret = given.purpose === 'connect' ? `${verifier}.${given.clientId}` : verifier;
      if (entry === undefined || entry.purpose !== given.purpose || entry.challenge !== hashOf(secret))
        return undefined;
      const { provider, subject, email } = entry;
      if (given.purpose === 'connect' && given.provider !== provider) return undefined;
      return { provider, subject, email, consume: () => proven.take(code) !== undefined };
    },
  };
}

export function createOAuth(deps: OAuthDeps) {
  const { providers, logger, clock } = deps;
  const begun = createExpiring<Begun>(clock, { lifetimeMs: LIFETIME_MS, limit: KEPT });
  const { keep, redeem } = createProven(clock);
  const configurationOf = createConfigurations(deps);

  return {
    has: (provider: ProviderName): boolean => providers[provider] !== undefined,

    /** @returns where to send the browser; undefined when there is no such provider, or it is away */
    async start(
      site: Site,
      provider: ProviderName,
      { challenge, purpose }: Pick<Begun, 'challenge' | 'purpose'>,
    ): Promise<string | undefined> {
      const known = await configurationOf(provider);
      if (known === undefined) return undefined;
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await client();
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      begun.put(state, { provider, verifier, nonce, challenge, purpose });
      return buildAuthorizationUrl(known.configuration, {
        redirect_uri: callbackOf(site, provider),
        scope: known.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },

    /** @param query what the provider sent, as it came */
    async finish(site: Site, provider: ProviderName, query: Readonly<Record<string, string>>): Promise<Returned> {
      const state = query.state ?? '';
      const began = begun.take(state);
      if (began === undefined || began.provider !== provider) return { ok: false, error: 'state' };
      if (query.error !== undefined) return { ok: false, error: 'denied' };
      const known = await configurationOf(provider);
      if (known === undefined) return { ok: false, error: 'away' };
      const url = new URL(callbackOf(site, provider));
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      try {
        const identity = await exchange(known.configuration, began, url, state);
        return { ok: true, code: keep(identity, began), email: identity.email, purpose: began.purpose };
      } catch (error) {
        // The message alone: what hangs below it may hold a code or a token.
        logger.warn({ provider, reason: (error as Error).message }, 'A third-party sign-in failed');
        return { ok: false, error: 'provider' };
      }
    },

    redeem,
  };
}

export type OAuth = ReturnType<typeof createOAuth>;
