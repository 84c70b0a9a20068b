/** Calls about who and what acts for the person: sessions, history, API keys; and about his data: export, deletion. */
import { dataExport, dataExports, deleteAccount, fetchDataExport } from '@cambist/contract/privacy.ts';
import {
  appAuthorization,
  createApiKey,
  endOtherSessions,
  endSession,
  revokeApiKey,
  sessions,
  signInHistory,
} from '@cambist/contract/security.ts';
import { bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { shownOrigin } from '../../platform/origin.ts';
import { networksOf, permissionsOf } from './keys.ts';
import type { SecurityRouteDeps } from './routes.ts';

const notThere = new Refusal(404, 'NOT_FOUND', 'There is no such entry.');
const tooManyKeys = new Refusal(409, 'TOO_MANY_KEYS', 'Revoke a key before you create another.');
const tooManyExports = new Refusal(
  409,
  'TOO_MANY_EXPORTS',
  'You already have five exports. Request another once one of them has expired.',
);
const operatorStays = new Refusal(403, 'OPERATOR_STAYS', 'Another operator has to close an operator account.');

const success = { message: 'success' as const };

function serveSessions(calls: CallServer, { accounts }: SecurityRouteDeps): void {
  calls.serve(sessions, async ({ identity, http }) => {
    const rows = await accounts.sessions.list(identity.clientId);
    const shown = rows.map((row) => ({
      id: row.id,
      is_this: row.id === identity.sessionId,
      ...shownOrigin(http, row),
      address: row.address,
      way: row.way,
      created_at: row.created_at,
      last_used_at: row.last_used_at,
      expires_at: row.expires_at,
    }));
    return { sessions: shown.sort((a, b) => Number(b.is_this) - Number(a.is_this)) };
  });

  calls.serve(endSession, async ({ identity, params }) => {
    return (await accounts.sessions.endOne(identity.clientId, Number(params.id))) ? success : notThere;
  });

  calls.serve(endOtherSessions, async ({ identity, body }) => {
    const kept = body.this_too ? undefined : identity.sessionId;
    return { ...success, ended: await accounts.sessions.endAll(identity.clientId, kept, bySession(identity)) };
  });

  calls.serve(signInHistory, async ({ identity, query, http }) => {
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const rows = await accounts.history(identity.clientId, query.limit, before);
    const entries = rows.map(({ user_agent, ...row }) => ({
      ...row,
      ...shownOrigin(http, { user_agent, place: row.place }),
    }));
    return { entries, next: rows.length === query.limit ? String(rows.at(-1)?.id) : null };
  });
}

function serveKeys(calls: CallServer, { security }: SecurityRouteDeps): void {
  calls.serve(appAuthorization, async ({ identity }) => {
    const [rows, connected] = await Promise.all([
      security.keys.list(identity.clientId),
      security.connectedApps(identity.clientId),
    ]);
    const api_keys = rows.map((row) => ({
      id: row.id,
      label: row.label,
      prefix: row.prefix,
      permissions: permissionsOf(row),
      networks: networksOf(row),
      created_at: row.created_at,
      last_used_at: row.last_used_at,
      expires_at: row.expires_at,
    }));
    return { api_keys, apps: connected };
  });

  calls.serve(createApiKey, async ({ authority, body }) => {
    const key = await security.keys.create(authority, body);
    return key === undefined ? tooManyKeys : { ...success, key };
  });

  calls.serve(revokeApiKey, async ({ identity, params }) => {
    return (await security.keys.revoke(identity.clientId, Number(params.id))) > 0 ? success : notThere;
  });
}

function servePrivacy(calls: CallServer, { security }: SecurityRouteDeps): void {
  const { privacy } = security;

  calls.serve(dataExport, async ({ authority }) => {
    const id = await privacy.ask(authority);
    return id === undefined ? tooManyExports : { ...success, id };
  });

  calls.serve(dataExports, async ({ identity }) => {
    const rows = await privacy.exports(identity.clientId);
    return { exports: rows.map(({ id, state, asked_at, expires_at }) => ({ id, state, asked_at, expires_at })) };
  });

  calls.serve(fetchDataExport, async ({ identity, params }) => {
    return (await privacy.fetch(identity.clientId, Number(params.id))) ?? notThere;
  });

  calls.serve(deleteAccount, async ({ identity, authority }) => {
    if (identity.role === 'operator') return operatorStays;
    const at = await privacy.askDeletion(authority);
    return { message: at === undefined ? ('balance_left' as const) : ('success' as const), deletion_at: at ?? null };
  });
}

export function serveAccess(calls: CallServer, deps: SecurityRouteDeps): void {
  serveSessions(calls, deps);
  serveKeys(calls, deps);
  servePrivacy(calls, deps);
}
