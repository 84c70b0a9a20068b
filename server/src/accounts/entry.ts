/**
 * The one door. However a person proves who he is, the same rules decide whether he comes in: frozen, maintenance,
 * second factor, delays for who guesses; and the same things happen when he does.
 */
import type { Locale } from '@cambist/contract/locales.ts';
import type { Origin } from '../platform/origin.ts';
import { networkOf, type Throttle } from '../platform/throttle.ts';
import type { ClientRow } from './client-store.ts';
import type { Passwords } from './passwords.ts';
import type { Outcome, SessionStore, Way } from './session-store.ts';
import type { Sessions } from './sessions.ts';
import type { Block, States } from './states.ts';
import type { ClientView } from './view.ts';

/** The second factors, which another slice keeps. */
export interface SecondFactor {
  isRequired(clientId: number): Promise<boolean>;
  /** Uses the code up. */
  check(clientId: number, code: string): Promise<boolean>;
}

export interface EntryRequest {
  readonly way: Way;
  readonly from: Origin;
  readonly factor: string | undefined;
  readonly locale: Locale;
}

export type EntryError =
  | { readonly kind: 'wrong-credentials' }
  | { readonly kind: 'too-many'; readonly waitMs: number }
  | { readonly kind: 'second-factor-required' }
  | { readonly kind: 'second-factor-wrong' }
  | Block;

export type Entry =
  | { readonly ok: true; readonly token: string; readonly client: ClientView }
  | { readonly ok: false; readonly error: EntryError };

export interface EntryThrottles {
  /** One identifier from one network. */
  readonly pair: Throttle;
  /** One identifier from anywhere: short, so that nobody can shut a person out. */
  readonly identifier: Throttle;
  /** One network, whoever it asks for. */
  readonly network: Throttle;
}

export interface EntryDeps {
  readonly store: Pick<SessionStore, 'insertSignIn'>;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly states: States;
  readonly secondFactor: SecondFactor;
  readonly throttles: EntryThrottles;
  readonly view: (row: ClientRow, locale: Locale) => Promise<ClientView>;
  /** A line of the history that could not be written. */
  readonly onLost: (error: unknown) => void;
  readonly clock: { now(): number };
}

const refused = (error: EntryError): Entry => ({ ok: false, error });

export function createEntry(deps: EntryDeps) {
  const { store, passwords, sessions, states, secondFactor, throttles, clock } = deps;

  async function note(row: ClientRow, { way, from }: EntryRequest, outcome: Outcome): Promise<void> {
    const { userAgent, address, place } = from;
    await store.insertSignIn(row.id, { at: clock.now(), way, outcome, user_agent: userAgent, address, place });
  }

  function keysOf(identifier: string, { from }: EntryRequest) {
    const network = networkOf(from.address);
    return { pair: `${identifier}|${network}`, identifier, network };
  }

  /** Ms until this identifier may be tried again from here. */
  function waitMs(identifier: string, request: EntryRequest): number {
    const keys = keysOf(identifier, request);
    return Math.max(
      throttles.pair.waitMs(keys.pair),
      throttles.identifier.waitMs(keys.identifier),
      throttles.network.waitMs(keys.network),
    );
  }

  function fail(identifier: string, request: EntryRequest): void {
    const keys = keysOf(identifier, request);
    throttles.pair.fail(keys.pair);
    throttles.identifier.fail(keys.identifier);
    throttles.network.fail(keys.network);
  }

  async function checkFactor(row: ClientRow, request: EntryRequest): Promise<EntryError | undefined> {
    // A passkey asks for the person as well as the device.
    if (request.way === 'passkey' || !(await secondFactor.isRequired(row.id))) return undefined;
    if (!request.factor) return { kind: 'second-factor-required' };
    if (await secondFactor.check(row.id, request.factor)) return undefined;
    await note(row, request, 'wrong-factor');
    return { kind: 'second-factor-wrong' };
  }

  /**
   * For who has proven who he is.
   * @param row as it was before the proof was checked, or in the same statement
   * @param consume uses the proof up, now that nothing more is asked; false when another request was first
   */
  async function admit(
    row: ClientRow,
    request: EntryRequest,
    consume: () => boolean | Promise<boolean> = () => true,
  ): Promise<Entry> {
    const block = states.blockOf({ clientId: row.id, role: row.role });
    if (block !== undefined) {
      await note(row, request, block.kind);
      return refused(block);
    }
    const identifier = `client:${row.id}`;
    const wait = waitMs(identifier, request);
    if (wait > 0) return refused({ kind: 'too-many', waitMs: wait });
    const error = await checkFactor(row, request);
    if (error !== undefined) {
      if (error.kind === 'second-factor-wrong') fail(identifier, request);
      return refused(error);
    }
    if (!(await consume())) return refused({ kind: 'wrong-credentials' });
    const changed = { locale: request.locale.name, deletion_at: null };
    const token = await sessions.open(row, { ...request, locale: request.locale.name });
    // A password, a factor or the account was changed since the proof was checked: it is worth nothing any more.
    if (token === undefined) return refused({ kind: 'wrong-credentials' });
    await note(row, request, 'success');
    return { ok: true, token, client: await deps.view({ ...row, ...changed }, request.locale) };
  }

  return {
    admit,
    /**
     * @param identifier what was typed, as a key
     * @param row undefined when nobody has it; the answer and the time it takes are the same as for a wrong password
     */
    async byPassword(
      identifier: string,
      row: ClientRow | undefined,
      password: string,
      request: EntryRequest,
    ): Promise<Entry> {
      const wait = waitMs(identifier, request);
      if (wait > 0) return refused({ kind: 'too-many', waitMs: wait });
      const good = await passwords.verify(row?.password_hash, password);
      if (row === undefined || !good) {
        fail(identifier, request);
        // Not waited for: the answer must take no longer than for an address that nobody has.
        if (row !== undefined) note(row, request, 'wrong-password').catch(deps.onLost);
        return refused({ kind: 'wrong-credentials' });
      }
      throttles.pair.succeed(keysOf(identifier, request).pair);
      return admit(row, request);
    },
  };
}

export type EntryDoor = ReturnType<typeof createEntry>;
