/** Who the person is, what may move in a day, what is connected. */
import { connectProvider, disconnectProvider } from '@cambist/contract/oauth.ts';
import {
  accountLimits,
  accountSummary,
  bindAccounts,
  clients as clientsCall,
  myProfile,
  profile,
  sendSmsCode,
  updateProfile,
  verifyMobile,
} from '@cambist/contract/profile.ts';
import type { FastifyRequest } from 'fastify';
import { bySession } from '../../platform/authority.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { shownOrigin } from '../../platform/origin.ts';
import { localeOfHeader, say } from '../../platform/texts.ts';
import { networkOf, type Throttle } from '../../platform/throttle.ts';
import { RESEND_AFTER_MS } from '../accounts/service.ts';
import type { OAuth } from '../oauth/service.ts';
import type { Security } from '../security/service.ts';
import type { Edited, ProfileService } from './service.ts';

const ended = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Log in again.');
const notSent = new Refusal(422, 'SMS_NOT_SENT', 'The text message could not be sent. Check the number.');
const wrongProvider = new Refusal(403, 'CONNECTION_FAILED', 'The login has expired. Start again.');

const success = { message: 'success' as const };
const localeOf = (http: FastifyRequest) => localeOfHeader(http.headers['accept-language']);

export interface ProfileRouteDeps {
  readonly profile: ProfileService;
  readonly security: Security;
  readonly oauth: OAuth;
  readonly smsThrottle: Pick<Throttle, 'take'>;
}

function wait(waitMs: number, isCode: boolean): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const text = isCode
    ? say('A code was just sent. Ask again in {{seconds}} s.', { seconds })
    : say('Too many requests. Try again in {{seconds}} s.', { seconds });
  const code = isCode ? 'CODE_SENT_RECENTLY' : 'TOO_MANY_REQUESTS';
  return new Refusal(429, code, text, { 'retry-after': String(seconds) });
}

function wrongPhone(error: 'too-short' | 'invalid'): Refusal {
  const message =
    error === 'too-short'
      ? say('Phone number must have at least 10 characters')
      : say('Please enter a valid phone number');
  return new Refusal(422, 'INVALID_INPUT', message, {}, [{ field: 'mobile_number', message }]);
}

function serveRecord(calls: CallServer, { profile: service }: ProfileRouteDeps): void {
  calls.serve(clientsCall, async ({ identity, http }) => {
    const client = await service.client(identity.clientId, localeOf(http));
    return client ? { clients: client, verified: client.verified } : ended;
  });

  calls.serve(profile, async ({ identity }) => ({ profile: await service.profile(identity.clientId) }));

  const save = async (identity: Identity, edited: Edited) => ({
    ...success,
    profile: await service.update(bySession(identity), edited),
  });
  calls.serve(updateProfile, async ({ identity, body }) => save(identity, body));
  calls.serve(myProfile, async ({ identity, query }) => save(identity, query));

  calls.serve(accountSummary, async ({ identity, http }) => {
    const { client, row, tier, last } = await service.summary(identity.clientId, localeOf(http));
    return {
      email: row.email,
      account_status: client.user.account_status,
      membership_level: client.membership_level,
      user_unique_id: row.unique_id,
      vip_level: tier,
      user_type: row.role === 'operator' ? ('Operator' as const) : ('Personal' as const),
      mobile_number: row.mobile_number,
      joined_at: row.created_at,
      last_sign_in: last ? { at: last.at, ...shownOrigin(http, last) } : null,
    };
  });

  calls.serve(accountLimits, async ({ identity }) => service.limits(identity.clientId));
}

function serveMobile(calls: CallServer, { profile: service, security, smsThrottle }: ProfileRouteDeps): void {
  calls.serve(sendSmsCode, async ({ identity, query, http }) => {
    const waitMs = smsThrottle.take(networkOf(http.ip));
    if (waitMs > 0) return wait(waitMs, false);
    const result = await service.sendSmsCode(identity.clientId, query.mobile_number, localeOf(http));
    if (result.ok) return { ...success, resend_after_s: RESEND_AFTER_MS / 1000 };
    if (result.error === 'too-soon') return wait(result.waitMs, true);
    return result.error === 'not-sent' ? notSent : wrongPhone(result.error);
  });

  calls.serve(verifyMobile, async ({ identity, query, confirm }) => {
    // The epoch before the number is looked at: one that is bound meanwhile moves it, and asks for the step-up.
    const own = await security.stepUp.own(identity);
    const hasMobile = await service.hasMobile(identity.clientId);
    const authority = hasMobile ? await confirm() : own;
    if (authority instanceof Refusal) return authority;
    const done = await service.bindMobile(authority, query.mobile_number, query.verification_code);
    return done ? success : { message: 'CODE_DOES_NOT_MATCH' as const };
  });
}

function serveConnections(calls: CallServer, { profile: service, oauth }: ProfileRouteDeps): void {
  calls.serve(bindAccounts, async ({ identity }) => {
    const { row, of } = await service.connections(identity.clientId);
    const connection = (provider: 'google' | 'apple') => {
      const known = of(provider);
      const none = oauth.has(provider) ? ('Not connected' as const) : ('Not available' as const);
      return { email: known?.email ?? '', status: known ? ('Connected' as const) : none };
    };
    const wallet = of('wallet');
    return {
      gmail: connection('google'),
      apple: connection('apple'),
      mobile: {
        status: row.mobile_verified_at === null ? ('Unverified' as const) : ('Verified' as const),
        email: row.email,
        number: row.mobile_number,
      },
      wallet: { status: wallet ? ('Connected' as const) : ('Not connected' as const), address: wallet?.subject ?? '' },
    };
  });

  calls.serve(connectProvider, async ({ identity, authority, params, body }) => {
    const { clientId } = identity;
    const proven = oauth.redeem(body.code, body.verifier, { purpose: 'connect', provider: params.provider, clientId });
    if (proven === undefined || !proven.consume()) return wrongProvider;
    const done = await service.connect(authority, proven);
    return done ? success : { message: 'connected_elsewhere' as const };
  });

  calls.serve(disconnectProvider, async ({ authority, params }) => {
    await service.disconnect(authority, params.provider);
    return success;
  });
}

export function serveProfile(calls: CallServer, deps: ProfileRouteDeps): void {
  serveRecord(calls, deps);
  serveMobile(calls, deps);
  serveConnections(calls, deps);
}
