/**
 * Operators from the command line: made and re-keyed by a link on which they set their passwords, listed, removed. It
 * works beside a running server: what the database says holds at once, and the server ends sessions and keys, which it
 * keeps in memory, within a second.
 */
import { emailKeyOf, readEmail } from '@cambist/contract/email.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { hashToken, newToken } from '../../platform/random-token.ts';
import {
  type ClientRow,
  createClientStore,
  createOperatorStore,
  createPasswords,
  isStolen,
  type LinkRow,
  newUniqueId,
  type OperatorRow,
  type Passwords,
} from '../accounts/service.ts';
import { createFactorStore } from '../factors/service.ts';

export type { Change, Figures, Operator, PendingChanges } from './pending-changes.ts';
export { alreadyPending, type DescribeChange, describeChanges } from './pending-routes.ts';

export interface OperatorDeps {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
}

/** An account whose passwords are published. */
export interface KnownAccount {
  readonly email: string;
  readonly password: string;
  readonly pin: string;
}

export type OperatorError = 'no-address' | 'a-client' | 'unknown' | 'the-last';
export type Linked =
  | { readonly ok: true; readonly token: string; readonly isNew: boolean }
  | { readonly ok: false; readonly error: OperatorError };

const LINK_MS = 24 * 3_600_000;
/** Of what is done by the command line, in the audit log. */
export const COMMAND = { reason: 'npm run operator' };

/** Accounts whose passwords are published. */
function createKnownAccounts({ database, audit, clock }: OperatorDeps) {
  const clients = createClientStore(database);
  const store = createOperatorStore(database);

  async function openAccounts(known: readonly KnownAccount[]): Promise<ClientRow[]> {
    const passwords = createPasswords();
    const open: ClientRow[] = [];
    for (const { email, password, pin } of known) {
      const row = await clients.clientByEmail(emailKeyOf(email));
      if (row === undefined) continue;
      const opens = await Promise.all([
        passwords.verify(row.password_hash, password),
        passwords.verify(row.transaction_password_hash, pin),
      ]);
      if (opens.includes(true)) open.push(row);
    }
    return open;
  }

  return {
    /** Accounts that still open with a password or transaction password that is published. @returns their addresses */
    async openWithKnownPasswords(known: readonly KnownAccount[]): Promise<string[]> {
      return (await openAccounts(known)).map(({ email }) => email);
    },
    /** Removes them, the last operator too: its password is published. */
    async removeKnown(known: readonly KnownAccount[]): Promise<string[]> {
      const open = await openAccounts(known);
      for (const { id } of open) {
        await audit.record({ act: 'remove-demo-account', clientId: id, ...COMMAND });
        await store.remove(id, clock.now());
      }
      return open.map(({ email }) => email);
    },
  };
}

export function createOperators(deps: OperatorDeps) {
  const { database, audit, clock } = deps;
  const clients = createClientStore(database);
  const store = createOperatorStore(database);
  const factors = createFactorStore(database);

  async function operatorOf(text: string): Promise<ClientRow | OperatorError> {
    const row = await clients.clientByEmail(emailKeyOf(text));
    if (row === undefined) return 'unknown';
    return row.role === 'operator' ? row : 'a-client';
  }

  async function insert(email: string): Promise<number | undefined> {
    return clients.insertClient({
      email,
      emailKey: emailKeyOf(email),
      passwordHash: '',
      transactionPasswordHash: '',
      mobileNumber: '',
      referral: '',
      uniqueId: newUniqueId(),
      role: 'operator',
      provider: 'email',
      locale: 'en',
      createdAt: clock.now(),
    });
  }

  async function link(clientId: number, isNew: boolean): Promise<Linked> {
    const token = newToken();
    await audit.record({ act: isNew ? 'add-operator' : 'rekey-operator', clientId, ...COMMAND });
    await store.rekey(clientId, { tokenHash: hashToken(token), expiresAt: clock.now() + LINK_MS });
    return { ok: true, token, isNew };
  }

  return {
    async list(): Promise<(OperatorRow & { readonly has_app: boolean })[]> {
      const rows = await store.operators();
      const withApp = await factors.withApp(rows.map(({ id }) => id));
      return rows.map((row) => ({ ...row, has_app: withApp.has(row.id) }));
    },
    async add(text: string): Promise<Linked> {
      const email = readEmail(text);
      if (email === undefined) return { ok: false, error: 'no-address' };
      const id = await insert(email);
      if (id !== undefined) return link(id, true);
      const row = await operatorOf(email);
      return typeof row === 'string' ? { ok: false, error: row } : link(row.id, false);
    },
    async rekey(email: string): Promise<Linked> {
      const row = await operatorOf(email);
      return typeof row === 'string' ? { ok: false, error: row } : link(row.id, false);
    },
    async remove(email: string, isForced: boolean): Promise<OperatorError | undefined> {
      const row = await operatorOf(email);
      if (typeof row === 'string') return row;
      if (!(await store.demote(row.id, isForced))) return 'the-last';
      await audit.record({ act: 'remove-operator', clientId: row.id, ...COMMAND });
      await store.remove(row.id, clock.now());
      return undefined;
    },
    ...createKnownAccounts(deps),
  };
}

export type Operators = ReturnType<typeof createOperators>;

export interface OperatorLinkDeps extends OperatorDeps {
  readonly passwords: Passwords;
  /** Ends every session and key of a client, in memory too. */
  readonly revoke: (clientId: number) => Promise<void>;
  /** Of an account whose deletion is due. */
  readonly anonymise: (clientId: number) => Promise<unknown>;
  readonly logger: Logger;
}

export type LinkUsed = 'success' | 'invalid' | 'stolen-password';

/** The server's side: the page behind the link, and what the command has decided. */
export function createOperatorLinks({
  database,
  audit,
  passwords,
  revoke,
  anonymise,
  logger,
  clock,
}: OperatorLinkDeps) {
  const store = createOperatorStore(database);
  return {
    read: (token: string): Promise<LinkRow | undefined> => store.link(hashToken(token), clock.now()),
    async use(token: string, password: string, transactionPassword: string, address: string): Promise<LinkUsed> {
      const tokenHash = hashToken(token);
      if ((await store.link(tokenHash, clock.now())) === undefined) return 'invalid';
      if (await isStolen(password)) return 'stolen-password';
      const [hash, transactionHash] = await Promise.all([
        passwords.hash(password),
        passwords.hash(transactionPassword),
      ]);
      const hashes = { password: hash, transactionPassword: transactionHash };
      const clientId = await store.useLink(tokenHash, clock.now(), hashes);
      if (clientId === undefined) return 'invalid';
      await audit.record({ actorId: clientId, act: 'set-up-operator', clientId, address });
      return 'success';
    },
    /** A job, and before the server listens: what fails is tried again. */
    async carryOut(): Promise<void> {
      for (const { id, client_id, is_removed } of await store.pendingRevocations()) {
        try {
          await revoke(client_id);
          if (is_removed) await anonymise(client_id);
          await store.revoked(id);
        } catch (err) {
          logger.error({ err, clientId: client_id }, 'What the operator command ended could not be ended yet');
        }
      }
    },
  };
}

export type OperatorLinks = ReturnType<typeof createOperatorLinks>;
