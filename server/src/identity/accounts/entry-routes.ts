/** Every way in, and what keeps people out: one set of refusals, whichever way it was. */
import { login } from '@cambist/contract/accounts.ts';
import type { Call } from '@cambist/contract/call.ts';
import { emailKeyOf, readEmail } from '@cambist/contract/email.ts';
import { authCallback, authStart, googleLogin } from '@cambist/contract/oauth.ts';
import { passkeySignIn, passkeySignInOptions } from '@cambist/contract/passkeys.ts';
import { mobileLogin, waysIn } from '@cambist/contract/sign-in.ts';
import { walletNonce, web3Login } from '@cambist/contract/wallet-sign-in.ts';
import type { FastifyRequest } from 'fastify';
import { type CallServer, type Identity, Redirect, Refusal } from '../../platform/calls.ts';
import type { OriginOf } from '../../platform/origin.ts';
import { outdated } from '../../platform/refusals.ts';
import type { SiteOf } from '../../platform/site.ts';
import { localeOfHeader, say } from '../../platform/texts.ts';
import { canHavePasskeys, type Passkeys } from '../factors/service.ts';
import type { OAuth, ProvenIdentity } from '../oauth/service.ts';
import type { WalletSignIn } from '../wallet-sign-in/service.ts';
import type { ClientRow } from './client-store.ts';
import type { Entry, EntryRequest } from './entry.ts';
import { parsePhone } from './phones.ts';
import { blocked } from './refusals.ts';
import type { AccountService } from './service.ts';
import type { Way } from './session-store.ts';

const wrongCredentials = new Refusal(401, 'LOGIN_FAILED', 'Incorrect email or password.');
const wrongMobile = new Refusal(401, 'LOGIN_FAILED', 'Incorrect phone number or password.');
const wrongWallet = new Refusal(401, 'LOGIN_FAILED', "The signature doesn't match. Connect the wallet again.");
const wrongPasskey = new Refusal(401, 'LOGIN_FAILED', 'This passkey is not known here.');
const wrongProvider = new Refusal(401, 'LOGIN_FAILED', 'The login has expired. Start again.');
const notRegistered = new Refusal(404, 'NOT_REGISTERED', 'There is no account with this address yet.');
const notSetUp = new Refusal(404, 'NOT_SET_UP', 'This login method is not set up here.');
export const factorRequired = new Refusal(403, 'SECOND_FACTOR_REQUIRED', 'Enter your authenticator code');
export const factorWrong = new Refusal(403, 'SECOND_FACTOR_WRONG', 'Incorrect code. Each code works once.');

export function stolenPassword(field: string): Refusal {
  const message = say('This password has appeared in a data breach. Choose another one.');
  return new Refusal(422, 'STOLEN_PASSWORD', message, {}, [{ field, message }]);
}

/** @returns undefined for a phone number of ours */
export function phoneRefusal(text: string, field: string): Refusal | undefined {
  const parsed = parsePhone(text);
  if (parsed.ok) return undefined;
  const message =
    parsed.error === 'too-short'
      ? say('Phone number must have at least 10 characters')
      : say('Please enter a valid phone number');
  return new Refusal(422, 'INVALID_INPUT', message, {}, [{ field, message }]);
}

export function tooMany(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const text = say('Too many requests. Try again in {{seconds}} s.', { seconds });
  return new Refusal(429, 'TOO_MANY_REQUESTS', text, { 'retry-after': String(seconds) });
}

function answerOf(entry: Entry, wrong: Refusal) {
  if (entry.ok) {
    const { token, device, client } = entry;
    return { status: 200 as const, token, ...(device === undefined ? {} : { device }), user: client.user, client };
  }
  switch (entry.error.kind) {
    case 'wrong-credentials':
      return wrong;
    case 'too-many':
      return tooMany(entry.error.waitMs);
    case 'second-factor-required':
      return factorRequired;
    case 'second-factor-wrong':
      return factorWrong;
    case 'outdated':
      return outdated;
    case 'frozen':
    case 'maintenance':
      return blocked(entry.error);
  }
}

export interface EntryRouteDeps {
  readonly accounts: AccountService;
  readonly wallets: WalletSignIn;
  readonly oauth: OAuth;
  readonly passkeys: Passkeys;
  readonly originOf: OriginOf;
  readonly siteOf: SiteOf;
}

type RequestOf = (http: FastifyRequest, way: Way, factor: string | undefined) => EntryRequest;

function serveWallet(calls: CallServer, { accounts, wallets, siteOf }: EntryRouteDeps, requestOf: RequestOf): void {
  calls.serve(walletNonce, async ({ body, http }) => {
    const site = siteOf(http);
    return site === undefined ? notSetUp : wallets.challenge(site, body.address, body.chain_id);
  });

  calls.serve(web3Login, async ({ body, http }) => {
    const request = requestOf(http, 'wallet', body.second_factor);
    const proof = await wallets.verify(body.username, body.message, body.signature);
    if (proof === undefined) return wrongWallet;
    const row = await accounts.registration.forWallet(body.username, request.locale);
    if (row === undefined) return wrongWallet;
    const entry = await accounts.door.admit(row, request, proof.consume);
    return answerOf(entry, wrongWallet);
  });
}

/** By what the provider calls the person, or by an address that both vouch for; one outside of our grammar is none. */
async function clientOf(accounts: AccountService, proven: ProvenIdentity): Promise<ClientRow | undefined> {
  const { clients } = accounts;
  const known = await clients.clientByIdentity(proven.provider, proven.subject);
  if (known !== undefined) return known;
  const email = readEmail(proven.email);
  return email === undefined ? undefined : clients.clientByEmail(emailKeyOf(email));
}

function serveProviders(calls: CallServer, deps: EntryRouteDeps, requestOf: RequestOf): void {
  const { accounts, oauth, siteOf } = deps;

  calls.serve(authStart, async ({ params, query, http }) => {
    const site = siteOf(http);
    const location =
      site && (await oauth.start(site, params.provider, { challenge: query.challenge, purpose: query.purpose }));
    return new Redirect(location ?? '/auth/callback#error=away');
  });

  calls.serve(authCallback, async ({ params, query, http }) => {
    const site = siteOf(http);
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const result = site && (await oauth.finish(site, params.provider, Object.fromEntries(given)));
    if (!result?.ok) return new Redirect(`/auth/callback#error=${result?.error ?? 'away'}`);
    const { code, email, purpose } = result;
    return new Redirect(`/auth/callback#${new URLSearchParams({ code, email, purpose })}`);
  });

  calls.serve(googleLogin, async ({ body, http }) => {
    const proven = oauth.redeem(body.code, body.verifier, { purpose: 'sign-in' });
    if (proven === undefined || emailKeyOf(proven.email) !== emailKeyOf(body.username)) return wrongProvider;
    const row = await clientOf(accounts, proven);
    if (row === undefined) return notRegistered;
    const request = requestOf(http, proven.provider, body.second_factor);
    const by = { clientId: row.id, sessionId: null, epoch: row.auth_epoch };
    const consume = async () => proven.consume() && (await accounts.connect(by, proven));
    return answerOf(await accounts.door.admit(row, request, consume), wrongProvider);
  });
}

function servePasskeySignIn(
  calls: CallServer,
  { accounts, passkeys, siteOf }: EntryRouteDeps,
  requestOf: RequestOf,
): void {
  calls.serve(passkeySignInOptions, async ({ http }) => {
    const site = siteOf(http);
    return canHavePasskeys(site) ? passkeys.signInOptions(site) : notSetUp;
  });

  calls.serve(passkeySignIn, async ({ body, http }) => {
    const site = siteOf(http);
    if (!canHavePasskeys(site)) return notSetUp;
    const proven = await passkeys.signIn(site, body);
    const row = proven && (await accounts.clients.clientById(proven.clientId));
    if (row === undefined) return wrongPasskey;
    // The epoch is that of the passkey's use: one that was removed since opens nothing.
    const known = { ...row, auth_epoch: proven?.epoch ?? row.auth_epoch };
    return answerOf(await accounts.door.admit(known, requestOf(http, 'passkey', undefined)), wrongPasskey);
  });
}

export function serveEntries(calls: CallServer, deps: EntryRouteDeps): void {
  const { accounts, oauth, originOf, siteOf } = deps;
  const requestOf: RequestOf = (http, way, factor) => ({
    way,
    factor,
    from: originOf(http),
    locale: localeOfHeader(http.headers['accept-language']),
  });

  calls.serve(waysIn, ({ http }) => {
    const site = siteOf(http);
    const maintenance = accounts.states.maintained() ?? null;
    return {
      google: oauth.has('google') && site !== undefined,
      apple: oauth.has('apple') && site !== undefined,
      wallet: site !== undefined,
      passkey: canHavePasskeys(site),
      sms: accounts.hasSms,
      platform_status: maintenance === null ? ('active' as const) : ('maintenance' as const),
      maintenance,
    };
  });

  calls.serve(login, async ({ body, http }) => {
    const request = requestOf(http, 'password', body.second_factor);
    return answerOf(await accounts.signIn(body.username, body.password, request), wrongCredentials);
  });

  calls.serve(mobileLogin, async ({ body, http }) => {
    const mobile = body.mobile ?? (body.username ?? '').replace(/[\s().-]/g, '');
    const refused = phoneRefusal(mobile, 'mobile');
    if (refused !== undefined) return refused;
    const request = requestOf(http, 'password', body.second_factor);
    return answerOf(await accounts.signInByMobile(mobile, body.password, request), wrongMobile);
  });

  serveWallet(calls, deps, requestOf);
  serveProviders(calls, deps, requestOf);
  servePasskeySignIn(calls, deps, requestOf);
}

const mustEnrol = new Refusal(403, 'OPERATOR_MUST_ENROL', 'Connect an authenticator app first: operators need one.');

/** What the state of the account or of the platform forbids. */
export function createAdmission(deps: {
  readonly accounts: Pick<AccountService, 'states'>;
  readonly hasFactor: (clientId: number) => Promise<boolean>;
  readonly isOperatorTotpRequired: boolean;
}): (call: Call, identity: Identity) => Refusal | undefined | Promise<Refusal | undefined> {
  async function operatorRefusal(clientId: number): Promise<Refusal | undefined> {
    return (await deps.hasFactor(clientId)) ? undefined : mustEnrol;
  }

  return (call, identity) => {
    if (!call.evenWhenBlocked && call.access !== 'visitor') {
      const block = deps.accounts.states.blockOf(identity);
      if (block !== undefined) return blocked(block);
    }
    const isOperators = call.access.startsWith('operator:');
    return isOperators && deps.isOperatorTotpRequired ? operatorRefusal(identity.clientId) : undefined;
  };
}
