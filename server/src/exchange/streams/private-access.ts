/**
 * Who a private socket is, and what it may hear: one identity for its life, under the rules that hold for calls. What
 * ends a session or a key ends its sockets at once; a frozen account and a maintained platform leave `account-state`.
 */
import type { PrivateChannel, StreamAccountState } from '@cambist/contract/stream.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Connection } from './connection.ts';
import type { PrivateHub } from './private-hub.ts';

/** Which sessions or API keys of a client end, by the number that stands for them in an identity. */
export interface Ending {
  readonly clientId: number;
  readonly includes: (sessionId: number) => boolean;
}

/** What the streams ask of those who decide who may what. */
export interface StreamAuthority {
  readonly authenticate: (token: string) => Promise<Identity | undefined> | Identity | undefined;
  readonly blockOf: (identity: Identity) => { readonly kind: 'frozen' | 'maintenance' } | undefined;
  /** @returns how to stop listening */
  readonly onEnd: (listener: (ending: Ending) => void) => () => void;
  /** Calls with a client's number, or undefined for all, and the change. @returns how to stop listening */
  readonly onState: (listener: (clientId: number | undefined, state: StreamAccountState) => void) => () => void;
}

interface Deps {
  readonly authority: StreamAuthority;
  readonly hub: PrivateHub;
  readonly connections: Iterable<Connection>;
  readonly clock: { now(): number };
}

/** What a key with `read` may hear: what it may also ask for. */
const forKeys: ReadonlySet<PrivateChannel> = new Set(['orders', 'fills', 'account', 'alerts', 'positions']);
const STATE = 'account-state';
/** An identity that is good is in memory at the second look. */
const LOOKS = 5;

const errorEvent = (code: string, msg: string) => ({ event: 'error', code, msg });
const blockedEvents = {
  frozen: errorEvent('60031', 'The account is frozen: only account-state is open.'),
  maintenance: errorEvent('60032', 'The exchange is being maintained: only account-state is open.'),
} as const;

/** Looks until nothing had to be waited for: what is known then holds in the step that files the connection. */
async function identify({ authority }: Deps, connection: Connection, token: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const identity = authority.authenticate(token);
    if (identity === undefined) return false;
    if (!(identity instanceof Promise)) {
      if (identity.networks?.includes(connection.address) === false) return false;
      connection.login = { ...identity, token };
      return true;
    }
    if ((await identity) === undefined) return false;
  }
  return false;
}

/** Leaves a connection nothing but its state. */
function silence(hub: PrivateHub, connection: Connection, kind: keyof typeof blockedEvents): void {
  for (const topic of [...connection.topics] as PrivateChannel[]) {
    if (topic === STATE) continue;
    const arg = hub.leave(connection, topic);
    if (arg !== undefined) connection.send({ event: 'unsubscribe', arg });
  }
  connection.send(blockedEvents[kind]);
}

/** @returns how to stop following */
function follow({ authority, hub, connections, clock }: Deps): () => void {
  const stops = [
    authority.onEnd(({ clientId, includes }) => {
      for (const connection of connections) {
        const known = connection.login;
        if (known === undefined || known.clientId !== clientId || !includes(known.sessionId)) continue;
        const state: StreamAccountState = { kind: 'session-ended', reason: '', until: null, ts: String(clock.now()) };
        hub.tell(connection, STATE, [state]);
        connection.drop('session-ended');
      }
    }),
    authority.onState((clientId, state) => {
      const { kind } = state;
      const owners = new Set<number>();
      for (const connection of connections) {
        const known = connection.login;
        if (known === undefined || (clientId !== undefined && known.clientId !== clientId)) continue;
        owners.add(known.clientId);
        const isOperator = clientId === undefined && known.role === 'operator';
        if ((kind === 'frozen' || kind === 'maintenance') && !isOperator) silence(hub, connection, kind);
      }
      for (const owner of owners) hub.push(owner, STATE, [state]);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export function createPrivateAccess(deps: Deps) {
  const { authority } = deps;

  /** The first login claims the socket before anything is waited for; one that fails lets go of it. */
  async function login(connection: Connection, token: string): Promise<void> {
    const isFirst = connection.path === 'private' && !connection.isClaimed;
    if (isFirst) connection.isClaimed = true;
    try {
      if (isFirst && (await identify(deps, connection, token))) connection.send({ event: 'login', code: '0', msg: '' });
      else connection.send(errorEvent('60009', 'Login failed.'));
    } finally {
      if (isFirst && connection.login === undefined) connection.isClaimed = false;
    }
  }

  /** @returns the event that says why not */
  function refusal({ login: identity }: Connection, channel: PrivateChannel) {
    if (identity === undefined) return errorEvent('60011', 'Please log in');
    const { permissions } = identity;
    if (permissions !== undefined && !(permissions.includes('read') && forKeys.has(channel))) {
      return errorEvent('60033', `This API key may not hear ${channel}.`);
    }
    const block = channel === STATE ? undefined : authority.blockOf(identity);
    return block && blockedEvents[block.kind];
  }

  return {
    login,
    refusal,
    /** A session may also end by its time; then its token is no longer good. */
    async check(connection: Connection): Promise<void> {
      if (connection.login === undefined) return;
      const identity = await authority.authenticate(connection.login.token);
      if (identity?.sessionId !== connection.login.sessionId) connection.drop('session-ended');
    },
    close: follow(deps),
  };
}
