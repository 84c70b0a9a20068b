/** An operator's calls about clients and the platform. What is done is on record before it is done. */

import {
  auditLog,
  clientDetail,
  clientHoldings,
  endClientSessions,
  findClients,
  freezeClient,
  liftHold,
  maintenance,
  resetFactors,
  restrictWithdrawals,
  resumePairs,
  setMaintenance,
  stopClientOrders,
  unfreezeClient,
} from '@cambist/contract/admin-clients.ts';
import { visibleText } from '@cambist/contract/email.ts';
import type { FastifyRequest } from 'fastify';
import { orderRefusal } from '../../exchange/orders/refusals.ts';
import type { TradingService } from '../../exchange/orders/service.ts';
import { type AccountService, restrictionReason } from '../../identity/accounts/service.ts';
import type { Passkeys } from '../../identity/factors/service.ts';
import type { Security } from '../../identity/security/service.ts';
import type { Notifications } from '../../people/notifications/service.ts';
import type { AuditEntry } from '../../platform/audit-log.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { shownOrigin } from '../../platform/origin.ts';
import { localeOfHeader, say } from '../../platform/texts.ts';
import type { Audit } from '../audit/service.ts';
import { type HoldingsDeps, holdingsOf } from './holdings.ts';

/** The pairs that are halted while the exchange is maintained. */
export interface PairHalts {
  begin(): Promise<Refusal | undefined>;
  state(): { readonly pairs: number; readonly resumeAt: number | null };
  resume(actor: Required<Pick<AuditEntry, 'actorId' | 'reason' | 'address'>>): Promise<void>;
}

export interface AdminClientDeps {
  readonly accounts: AccountService;
  readonly audit: Audit;
  readonly passkeys: Passkeys;
  readonly security: Pick<Security, 'resetFactors'>;
  readonly hasTotp: (clientId: number) => Promise<boolean>;
  readonly trading: Pick<TradingService, 'stopOrders'>;
  readonly notifications: Pick<Notifications, 'tell'>;
  readonly pairHalts: PairHalts;
  readonly holdings: HoldingsDeps;
  readonly clock: { now(): number };
}

export const unknownClient = new Refusal(404, 'UNKNOWN_CLIENT', 'There is no such client.');
const noFactors = new Refusal(409, 'NO_FACTORS', 'This client has no authenticator app and no passkey.');
const unknownHold = new Refusal(404, 'UNKNOWN_HOLD', 'There is no such hold, or it has ended.');
const isOver = new Refusal(422, 'END_IN_THE_PAST', 'Choose an end time in the future.');
export const notOneself = new Refusal(
  403,
  'NOT_ONESELF',
  'Operators do not act on their own or each other’s accounts here.',
);

const success = { message: 'success' as const };
const LAST_ID = Number.MAX_SAFE_INTEGER;
const RECENT = 50;

const pageOf = ({ limit, before }: { limit: number; before?: string | undefined }) => ({
  limit,
  before: before === undefined ? LAST_ID : Number(before),
});
const nextOf = (rows: readonly { id: number }[], limit: number) =>
  rows.length === limit ? String(rows.at(-1)?.id) : null;

/** Reads entries with the addresses of those whose numbers they hold. */
const auditReader =
  ({ accounts, audit }: Pick<AdminClientDeps, 'accounts' | 'audit'>) =>
  async (filter: Parameters<Audit['list']>[0]) => {
    const entries = await audit.list(filter);
    const emails = await accounts.search.emailsOf(entries.flatMap(({ actor_id, client_id }) => [actor_id, client_id]));
    const emailOf = (id: number | null) => (id === null ? '' : (emails.get(id) ?? ''));
    return entries.map((entry) => ({ ...entry, actor: emailOf(entry.actor_id), client: emailOf(entry.client_id) }));
  };

function serveReading(calls: CallServer, deps: AdminClientDeps): void {
  const { accounts, audit } = deps;
  const listed = auditReader(deps);

  calls.serve(findClients, async ({ query }) => {
    const filter = { ...pageOf(query), search: query.search, status: query.status, now: deps.clock.now() };
    const found = await accounts.search.find(filter);
    const clients = found.map((client) => ({ ...client, email: visibleText(client.email) }));
    return { clients, next: nextOf(clients, query.limit) };
  });

  calls.serve(clientDetail, async ({ identity, params, http }) => {
    const locale = localeOfHeader(http.headers['accept-language']);
    const row = await accounts.clients.clientById(params.id);
    const client = row && (await accounts.client(row.id, locale));
    if (row === undefined || client === undefined) return unknownClient;
    await audit.record({ actorId: identity.clientId, act: 'look-at-client', clientId: row.id, address: http.ip });
    const [two_factor, passkeys, restrictions, sessions, signIns, entries] = await Promise.all([
      deps.hasTotp(row.id),
      deps.passkeys.list(row.id),
      accounts.restrictions.active(row.id),
      accounts.sessions.list(row.id),
      accounts.history(row.id, RECENT, LAST_ID),
      listed({ clientId: row.id, actorId: undefined, act: undefined, limit: RECENT, before: LAST_ID }),
    ]);
    const operators = new Map<number, string>();
    for (const { by_id } of restrictions) {
      if (by_id !== null) operators.set(by_id, visibleText((await accounts.person(by_id))?.email ?? ''));
    }
    return {
      client,
      created_at: row.created_at,
      two_factor,
      passkeys: passkeys.length,
      whitelist_only: row.whitelist_only,
      holds: restrictions.map((hold) => ({
        id: hold.id,
        kind: hold.kind,
        reason: restrictionReason(hold, locale),
        from: hold.from_at,
        until: hold.until_at,
        by: hold.by_id === null ? '' : (operators.get(hold.by_id) ?? ''),
      })),
      sessions: sessions.map(({ id, user_agent, address, place, way, created_at, last_used_at }) => ({
        id,
        ...shownOrigin(http, { user_agent, place }),
        address,
        way,
        created_at,
        last_used_at,
      })),
      sign_ins: signIns.map(({ user_agent, ...entry }) => ({
        ...entry,
        ...shownOrigin(http, { user_agent, place: entry.place }),
      })),
      audit: entries,
    };
  });

  calls.serve(auditLog, async ({ query }) => {
    const filter = { ...pageOf(query), clientId: query.client_id, actorId: query.actor_id, act: query.act };
    const entries = await listed(filter);
    return { entries, next: nextOf(entries, query.limit) };
  });
}

function serveHoldings(calls: CallServer, { accounts, audit, holdings }: AdminClientDeps): void {
  calls.serve(clientHoldings, async ({ identity, params, http }) => {
    const row = await accounts.clients.clientById(params.id);
    if (row === undefined) return unknownClient;
    await audit.record({ actorId: identity.clientId, act: 'look-at-holdings', clientId: row.id, address: http.ip });
    return holdingsOf(holdings, row.id, localeOfHeader(http.headers['accept-language']));
  });
}

type Act = Pick<AuditEntry, 'act' | 'reason' | 'detail'>;

/** Records an act on a client who is there and no operator. @returns why not, where it may not be done */
function createBegin({ accounts, audit, clock }: AdminClientDeps) {
  return async function begin(
    identity: Identity,
    http: FastifyRequest,
    clientId: number,
    { until = null, ...act }: Act & { until?: number | null },
  ): Promise<Refusal | undefined> {
    const row = await accounts.clients.clientById(clientId);
    if (row === undefined) return unknownClient;
    if (row.role === 'operator') return notOneself;
    if (until !== null && until <= clock.now()) return isOver;
    const detail = until === null ? act.detail : { ...act.detail, until };
    await audit.record({
      ...act,
      ...(detail ? { detail } : {}),
      actorId: identity.clientId,
      clientId,
      address: http.ip,
    });
    return undefined;
  };
}

function serveRestrictions(calls: CallServer, deps: AdminClientDeps): void {
  const { accounts, trading, notifications } = deps;
  const begin = createBegin(deps);

  async function stop(clientId: number, reason: string) {
    const stopped = await trading.stopOrders(clientId);
    if (!stopped.ok) return orderRefusal(stopped.error);
    const number = stopped.value;
    if (number > 0) {
      const title = say('The exchange has cancelled your orders');
      const body = say('Orders cancelled: {{number}}. Reason: {{reason}}', { number, reason });
      await notifications.tell(clientId, { type: 'orders', title, body, path: '/trades/spot/BTC' });
    }
    return { ...success, stopped_orders: number };
  }

  calls.serve(freezeClient, async ({ identity, params: { id }, body: { reason, until, stop_orders }, http }) => {
    const detail = { stop_orders };
    const refused = await begin(identity, http, id, { act: 'freeze-account', reason, until, detail });
    if (refused !== undefined) return refused;
    // Nothing of the client's is queued from here on, so what is stopped below is all that there is.
    await accounts.states.freeze(id, reason, until);
    return stop_orders ? stop(id, reason) : { ...success, stopped_orders: 0 };
  });

  calls.serve(stopClientOrders, async ({ identity, params: { id }, body: { reason }, http }) => {
    const refused = await begin(identity, http, id, { act: 'stop-orders', reason });
    return refused ?? stop(id, reason);
  });

  calls.serve(unfreezeClient, async ({ identity, params: { id }, body: { reason }, http }) => {
    const refused = await begin(identity, http, id, { act: 'unfreeze-account', reason });
    if (refused !== undefined) return refused;
    await accounts.states.unfreeze(id);
    return success;
  });

  calls.serve(restrictWithdrawals, async ({ identity, params: { id }, body: { reason, until }, http }) => {
    const refused = await begin(identity, http, id, { act: 'restrict-withdrawals', reason, until });
    if (refused !== undefined) return refused;
    return { ...success, hold_id: await accounts.restrictions.byOperator(id, reason, until, identity.clientId) };
  });

  calls.serve(liftHold, async ({ identity, params: { id }, body: { reason }, http }) => {
    const hold = await accounts.restrictions.find(id);
    if (hold === undefined) return unknownHold;
    const detail = { hold_id: id, kind: hold.kind };
    const refused = await begin(identity, http, hold.client_id, { act: 'lift-hold', reason, detail });
    if (refused !== undefined) return refused;
    return (await accounts.restrictions.lift(id)) === undefined ? unknownHold : success;
  });
}

/** What lets a client in. */
function serveWaysIn(calls: CallServer, deps: AdminClientDeps): void {
  const { accounts, passkeys, security, hasTotp } = deps;
  const begin = createBegin(deps);

  calls.serve(endClientSessions, async ({ identity, params: { id }, body: { reason }, http }) => {
    const refused = await begin(identity, http, id, { act: 'end-sessions', reason });
    if (refused !== undefined) return refused;
    return { ...success, ended: await accounts.sessions.endAll(id) };
  });

  calls.serve(resetFactors, async ({ identity, authority, params: { id }, body: { reason }, http }) => {
    const isThere = (await accounts.clients.clientById(id)) !== undefined;
    if (isThere && !(await hasTotp(id)) && (await passkeys.list(id)).length === 0) return noFactors;
    const refused = await begin(identity, http, id, { act: 'reset-factors', reason });
    if (refused !== undefined) return refused;
    return (await security.resetFactors(authority, id)) ? success : noFactors;
  });
}

function serveMaintenance(calls: CallServer, { accounts, audit, pairHalts, clock }: AdminClientDeps): void {
  async function state() {
    const { since, reason, until_at, by_id } = accounts.states.maintenance();
    const by = by_id === null ? '' : ((await accounts.person(by_id))?.email ?? '');
    const { pairs, resumeAt } = pairHalts.state();
    const facts = { on: since !== null, reason, until: until_at, since, by };
    return { maintenance: { ...facts, halted_pairs: pairs, resume_at: resumeAt } };
  }

  calls.serve(maintenance, state);

  calls.serve(setMaintenance, async ({ identity, body: { on, reason, until, halt_pairs }, http, confirm }) => {
    const now = clock.now();
    if (on && until !== null && until <= now) return isOver;
    const confirmed = on ? undefined : await confirm();
    if (confirmed instanceof Refusal) return confirmed;
    const act = on ? 'begin-maintenance' : 'end-maintenance';
    await audit.record({
      actorId: identity.clientId,
      act,
      reason,
      detail: on ? { until, halt_pairs } : {},
      address: http.ip,
    });
    await accounts.states.maintain({
      since: on ? now : null,
      reason: on ? reason : '',
      until_at: on ? until : null,
      by_id: identity.clientId,
    });
    const refused = on && halt_pairs ? await pairHalts.begin() : undefined;
    return refused ?? { ...success, ...(await state()) };
  });

  calls.serve(resumePairs, async ({ identity, body: { reason }, http }) => {
    const actor = { actorId: identity.clientId, reason, address: http.ip };
    await audit.record({ ...actor, act: 'resume-pairs' });
    await pairHalts.resume(actor);
    return { ...success, ...(await state()) };
  });
}

export function serveAdminClients(calls: CallServer, deps: AdminClientDeps): void {
  serveReading(calls, deps);
  serveHoldings(calls, deps);
  serveRestrictions(calls, deps);
  serveWaysIn(calls, deps);
  serveMaintenance(calls, deps);
}
