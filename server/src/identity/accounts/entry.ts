/**
 * The one door. However a person proves who he is, the same rules decide whether he comes in: frozen, maintenance,
 * second factor, delays for who guesses; and the same things happen when he does.
 */
import type { Locale } from '@cambist/contract/locales.ts';
import type { Origin } from '../../platform/origin.ts';
import { type Attempt, admitToAll, networkOf, type Throttle } from '../../platform/throttle.ts';
import type { ClientRow } from './client-store.ts';
import type { Devices, Lane } from './devices.ts';
import type { Passwords } from './passwords.ts';
import type { Outcome, SessionStore, Way } from './session-store.ts';
import type { Sessions } from './sessions.ts';
import type { Block, States } from './states.ts';
import type { ClientView } from './view.ts';

/** The second factors, which another slice keeps. */
export interface SecondFactor {
  isRequired(clientId: number): Promise<boolean>;
  /**
   * Uses the code up.
   * @param lane as whom its guesses are counted: strangers neither use up nor close the tries of known devices and networks
   */
  check(clientId: number, code: string, lane?: string): Promise<boolean>;
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
  /** The proof was good, and a password, a factor or the account was changed since, or all sessions were ended. */
  | { readonly kind: 'outdated' }
  | Block;

export type Entry =
  | {
      readonly ok: true;
      readonly token: string;
      /** A secret for the browser, unless the one that it sent is still good. */
      readonly device: string | undefined;
      readonly client: ClientView;
    }
  | { readonly ok: false; readonly error: EntryError };

export interface EntryThrottles {
  /** One identifier from one network, or from one device that its account knows. */
  readonly pair: Throttle;
  /** One identifier, all strangers together: devices and networks that the account knows are not slowed by it. */
  readonly identifier: Throttle;
  /** One network, over all identifiers; a known device has its own count. */
  readonly network: Throttle;
}

export interface EntryDeps {
  readonly store: Pick<SessionStore, 'insertSignIn'>;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly states: States;
  readonly secondFactor: SecondFactor;
  readonly throttles: EntryThrottles;
  readonly devices: Pick<Devices, 'laneOf' | 'remember'>;
  readonly view: (row: ClientRow, locale: Locale) => Promise<ClientView>;
  /** A line of the history that could not be written. */
  readonly onLost: (error: unknown) => void;
  readonly clock: { now(): number };
}

const refused = (error: EntryError): Entry => ({ ok: false, error });

/** Counts guesses by account, network and device. */
function createCounting(throttles: EntryThrottles) {
  function countsOf(identifier: string, lane: Lane, { from }: EntryRequest): [Throttle, string][] {
    const network = networkOf(from.address);
    if (lane.kind === 'device') return [[throttles.pair, `${identifier}|${lane.key}`]];
    const own: [Throttle, string] = [throttles.pair, `${identifier}|${network}`];
    const whole: [Throttle, string] = [throttles.network, network];
    return lane.kind === 'network' ? [own, whole] : [own, [throttles.identifier, identifier], whole];
  }

  /** Checks a proof once it is counted: a wrong one stays counted, a right one clears the first of the counts. */
  return async function counted(
    identifier: string,
    lane: Lane,
    request: EntryRequest,
    check: () => Promise<boolean>,
  ): Promise<{ readonly isGood: boolean } | { readonly waitMs: number }> {
    const admission = await admitToAll(countsOf(identifier, lane, request));
    if (!admission.ok) return admission;
    const [own, ...shared] = admission.attempts as readonly [Attempt, ...Attempt[]];
    try {
      const isGood = await check();
      if (isGood) own.succeed();
      else for (const attempt of admission.attempts) attempt.fail();
      return { isGood };
    } finally {
      // What is not counted by now was no guess.
      for (const attempt of [own, ...shared]) attempt.giveBack();
    }
  };
}

/** Writes the history of sign-ins. */
function createNote({ store, clock }: EntryDeps) {
  return async function note(row: ClientRow, { way, from }: EntryRequest, outcome: Outcome): Promise<void> {
    const { userAgent, address, place } = from;
    await store.insertSignIn(row.id, { at: clock.now(), way, outcome, user_agent: userAgent, address, place });
  };
}

type Counted = ReturnType<typeof createCounting>;
type Note = ReturnType<typeof createNote>;

function createFactorCheck({ secondFactor, devices }: EntryDeps, counted: Counted, note: Note) {
  return async function checkFactor(row: ClientRow, request: EntryRequest): Promise<EntryError | undefined> {
    // A passkey asks for the person as well as the device.
    if (request.way === 'passkey' || !(await secondFactor.isRequired(row.id))) return undefined;
    const { factor } = request;
    if (!factor) return { kind: 'second-factor-required' };
    const lane = await devices.laneOf(row.id, request.from);
    const checked = await counted(`client:${row.id}`, lane, request, () =>
      secondFactor.check(row.id, factor, lane.key),
    );
    if ('waitMs' in checked) return { kind: 'too-many', waitMs: checked.waitMs };
    if (checked.isGood) return undefined;
    await note(row, request, 'wrong-factor');
    return { kind: 'second-factor-wrong' };
  };
}

export function createEntry(deps: EntryDeps) {
  const { passwords, sessions, states, devices } = deps;
  const counted = createCounting(deps.throttles);
  const note = createNote(deps);
  const checkFactor = createFactorCheck(deps, counted, note);

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
    const error = await checkFactor(row, request);
    if (error !== undefined) return refused(error);
    if (!(await consume())) return refused({ kind: 'wrong-credentials' });
    const changed = { locale: request.locale.name, deletion_at: null };
    const token = await sessions.open(row, { ...request, locale: request.locale.name });
    if (token === undefined) return refused({ kind: 'outdated' });
    const device = await devices.remember(row.id, request.from);
    await note(row, request, 'success');
    return { ok: true, token, device, client: await deps.view({ ...row, ...changed }, request.locale) };
  }

  return {
    admit,
    /**
     * @param identifier what was typed, as a key
     * @param row undefined for an unknown address; the answer and the time it takes are the same as for a wrong password
     */
    async byPassword(
      identifier: string,
      row: ClientRow | undefined,
      password: string,
      request: EntryRequest,
    ): Promise<Entry> {
      const lane = await devices.laneOf(row?.id, request.from);
      const network = networkOf(request.from.address);
      // With the network: strangers who try an account elsewhere do not take its owner's turn.
      const caller = { lane: 'entry', client: `${identifier}|${network}`, network } as const;
      const checked = await counted(identifier, lane, request, () =>
        passwords.verify(row?.password_hash, password, caller),
      );
      if ('waitMs' in checked) return refused({ kind: 'too-many', waitMs: checked.waitMs });
      if (row === undefined || !checked.isGood) {
        // Not waited for: the answer must take no longer than for an unknown address.
        if (row !== undefined) note(row, request, 'wrong-password').catch(deps.onLost);
        return refused({ kind: 'wrong-credentials' });
      }
      return admit(row, request);
    },
  };
}

export type EntryDoor = ReturnType<typeof createEntry>;
