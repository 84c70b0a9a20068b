/** Identity: who is there, how he comes in, what state he is in. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import { type Locale, localeOf } from '@cambist/contract/locales.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { Encryption } from '../../platform/encryption.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Origin } from '../../platform/origin.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { PasswordCost } from '../../platform/slice.ts';
import { networkOf } from '../../platform/throttle.ts';
import { type ClientRow, createClientStore, type Provider } from './client-store.ts';
import { type Asker, createCodes } from './codes.ts';
import { createDeviceStore } from './device-store.ts';
import { createDevices } from './devices.ts';
import { createEntry, type EntryDoor, type EntryRequest, type SecondFactor } from './entry.ts';
import { createMailboxes, newsMail } from './mails.ts';
import { createPasswordChanges } from './password-changes.ts';
import { createPasswords } from './passwords.ts';
import { parsePhone } from './phones.ts';
import { createRegistration } from './registration.ts';
import { createRestrictionStore } from './restriction-store.ts';
import { createRestrictions } from './restrictions.ts';
import { type AccountNames, createSearchStore } from './search-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSessions } from './sessions.ts';
import { createStates, type States } from './states.ts';
import { createThrottles } from './throttles.ts';
import { createTransactionPasswords } from './transaction-passwords.ts';
import { type ClientView, viewOf } from './view.ts';

export {
  type ClientChange,
  type ClientRow,
  type ClientStore,
  createClientStore,
  type Provider,
} from './client-store.ts';
export type { SendResult } from './codes.ts';
export { RESEND_AFTER_MS } from './codes.ts';
export { deviceTimes } from './device-store.ts';
export type { Entry, SecondFactor } from './entry.ts';
export { sendCode } from './mails.ts';
export { createOperatorStore, type LinkRow, type OperatorRow, operatorLinkTimes } from './operator-store.ts';
export { createPasswords, isStolen, type Passwords } from './passwords.ts';
export { parsePhone } from './phones.ts';
export { newUniqueId } from './registration.ts';
export type { RestrictionRow } from './restriction-store.ts';
export { restrictionTimes } from './restriction-store.ts';
export { heldUntil, momentText, restrictionReason } from './restrictions.ts';
export { sessionTimes } from './session-store.ts';
export { type ClientView, membershipLevel } from './view.ts';

export interface AccountDeps {
  readonly database: Database;
  readonly outbox: Pick<Outbox, 'put' | 'statement' | 'statementGiven' | 'wake'>;
  readonly encryption: Encryption;
  readonly secondFactor: SecondFactor;
  /** The fee tier, 0 to 5. */
  readonly tierOf: (clientId: number) => Promise<number>;
  readonly sessionLifetimeMs: number;
  readonly passwordCost?: PasswordCost | undefined;
  /** Growing delays; off where requests are not limited at all. */
  readonly isThrottled: boolean;
  readonly hasSms: boolean;
  readonly logger: Logger;
  readonly clock: { now(): number };
}

/** Few enough that neither the database nor the event loop is kept from requests. */
const ACCOUNTS_AT_ONCE = 1_000;

const HISTORY_MS = 180 * 86_400_000;

type Clients = ReturnType<typeof createClientStore>;
type Store = ReturnType<typeof createSessionStore>;

interface AskerDeps {
  readonly devices: ReturnType<typeof createDevices>;
  readonly throttles: ReturnType<typeof createThrottles>;
}

function createAskerOf({ devices, throttles }: AskerDeps) {
  /** Who asks for a code or shows it, without a session. */
  return async function askerOf(clientId: number | undefined, from: Origin): Promise<Asker> {
    const lane = await devices.laneOf(clientId, from);
    const key = lane.kind === 'device' ? lane.key : `network:${networkOf(from.address)}`;
    return { key, take: (target) => (lane.kind === 'stranger' ? throttles.strangerSends.take(target) : 0) };
  };
}

interface ViewDeps extends Pick<AccountDeps, 'tierOf' | 'clock'> {
  readonly clients: Clients;
  readonly restrictions: ReturnType<typeof createRestrictions>;
  readonly states: States;
}

/** A client as callers see one. */
function createView({ clients, restrictions, states, tierOf, clock }: ViewDeps) {
  return async function view(row: ClientRow, locale: Locale): Promise<ClientView> {
    const [identities, held, tier] = await Promise.all([
      clients.identitiesOf(row.id),
      restrictions.active(row.id),
      tierOf(row.id),
    ]);
    return viewOf({
      row,
      providers: identities.map(({ provider }) => provider),
      restrictions: held,
      block: states.blockOf({ clientId: row.id, role: row.role }),
      isMaintained: row.role !== 'operator' && states.maintained() !== undefined,
      tier,
      locale,
      now: clock.now(),
    });
  };
}

/** Ways in by what was typed. */
function createSignIns(clients: Clients, door: EntryDoor) {
  async function signInByMobile(mobile: string, password: string, request: EntryRequest) {
    const phone = parsePhone(mobile);
    const row = phone.ok ? await clients.clientByMobile(phone.number) : undefined;
    return door.byPassword(phone.ok ? phone.number : mobile, row, password, request);
  }

  return {
    exists: async (email: string) => (await clients.clientByEmail(emailKeyOf(email))) !== undefined,
    /** @returns undefined for what is no phone number */
    async mobileExists(mobile: string): Promise<boolean> {
      const phone = parsePhone(mobile);
      return phone.ok && (await clients.clientByMobile(phone.number)) !== undefined;
    },
    signIn: async (email: string, password: string, request: EntryRequest) => {
      const key = emailKeyOf(email);
      return door.byPassword(key, await clients.clientByEmail(key), password, request);
    },
    signInByMobile,
  };
}

interface PeopleDeps extends Pick<AccountDeps, 'clock'> {
  readonly clients: Clients;
  readonly store: Store;
  readonly view: ReturnType<typeof createView>;
}

/** What other slices ask of a client. */
function createPeople({ clients, store, view, clock }: PeopleDeps) {
  return {
    async client(clientId: number, locale: Locale = localeOf('en')): Promise<ClientView | undefined> {
      const row = await clients.clientById(clientId);
      return row && view(row, locale);
    },
    /** For other slices, which know a client by his number. */
    async person(clientId: number): Promise<Pick<ClientRow, 'email' | 'role'> | undefined> {
      const row = await clients.clientById(clientId);
      return row && { email: row.email, role: row.role };
    },
    /** @returns false when it is another client's */
    connect: (by: Authority, identity: { provider: Provider; subject: string; email: string }): Promise<boolean> =>
      clients.connect(by, identity.provider, identity.subject, identity.email, clock.now()),
    history: (clientId: number, limit: number, before: number) => store.signIns(clientId, limit, before),
    lastSignIn: (clientId: number) => store.lastSignIn(clientId),
    isOfNewDevice: store.isOfNewDevice,
    /** For the transaction that lets something leave the account: it fails (`restricted`) while nothing may. */
    unrestricted: (clientId: number): Statement => ({
      sql: 'SELECT hold_unrestricted($1, $2)',
      parameters: [clientId, clock.now()],
    }),
  };
}

/**
 * All accounts in the order of their numbers, operators and erased ones included. Each page is as the table is when the
 * page is read. No row is ever deleted, so every account that exists at the first page comes.
 */
function createAccountPages({ accountsAfter }: ReturnType<typeof createSearchStore>) {
  return async function* accountPages(): AsyncGenerator<readonly AccountNames[], void, void> {
    let page = await accountsAfter(0, ACCOUNTS_AT_ONCE);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield page;
      page = await accountsAfter(last.id, ACCOUNTS_AT_ONCE);
    }
  };
}

export async function createAccountService(deps: AccountDeps) {
  const { database, outbox, encryption, secondFactor, logger, clock } = deps;
  const clients = createClientStore(database);
  const store = createSessionStore(database);
  const search = createSearchStore(database);
  const restrictionStore = createRestrictionStore(database);
  const onLost = (err: unknown) => logger.warn({ err }, 'Work in the background failed');
  const states = await createStates({ clients, restrictions: restrictionStore, clock });
  const restrictions = createRestrictions({ store: restrictionStore, clients, outbox, states, clock, logger });
  const devices = createDevices({ store: createDeviceStore(database), clock });
  const sessions = createSessions({ store, clock, lifetimeMs: deps.sessionLifetimeMs });
  const codes = createCodes({ store, encryption, clock });
  const passwords = createPasswords(deps.passwordCost);
  const throttles = createThrottles(clock, deps.isThrottled);

  const askerOf = createAskerOf({ devices, throttles });
  const view = createView({ clients, restrictions, states, tierOf: deps.tierOf, clock });
  const shared = { clients, codes, askerOf, passwords, outbox, clock };
  const registration = createRegistration(shared);
  const changes = createPasswordChanges({
    ...shared,
    laneOf: devices.laneOf,
    sessions,
    restrictions,
    secondFactor,
    onLost,
  });
  const door = createEntry({
    store,
    passwords,
    sessions,
    states,
    secondFactor,
    throttles: throttles.entry,
    devices,
    view,
    onLost,
    clock,
  });

  return {
    clients,
    search,
    accountPages: createAccountPages(search),
    registration,
    changes,
    door,
    states,
    restrictions,
    sessions,
    codes,
    throttles,
    passwords,
    newsMail,
    mailboxOf: createMailboxes(clients),
    laneOf: devices.laneOf,
    hasSms: deps.hasSms,

    ...createSignIns(clients, door),
    ...createPeople({ clients, store, view, clock }),
    ...createTransactionPasswords({ clients, passwords, sessions, clock }),
    signOut: (identity: Identity) => sessions.end(identity),

    ensure: registration.ensure,
    async deleteExpired(): Promise<void> {
      await store.deleteExpired(clock.now(), clock.now() - HISTORY_MS);
      await devices.deleteExpired();
    },
  };
}

export type AccountService = Awaited<ReturnType<typeof createAccountService>>;
