/** What keeps a client's withdrawals from leaving: for some time after a change, or as long as an operator says. */
import { type Locale, localeOf, msg } from '@cambist/contract/locales.ts';
import { AuthorityEnded } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import type { ClientStore } from './client-store.ts';
import { newsMail } from './mails.ts';
import type { RestrictionKind, RestrictionRow, RestrictionStore } from './restriction-store.ts';
import type { States } from './states.ts';

const DAY_MS = 86_400_000;
/** Longer than any change takes. */
const UNTOLD_MS = 600_000;
const TOLD_AT_ONCE = 100;

type ChangeKind = Exclude<RestrictionKind, 'operator'>;

/** How long each change pauses withdrawals; longest where it was not made by who is signed in. */
const pausesMs: Readonly<Record<ChangeKind, number>> = {
  password: DAY_MS,
  'transaction-password': DAY_MS,
  factor: DAY_MS,
  'factors-reset': 3 * DAY_MS,
  whitelist: DAY_MS,
  'withdrawal-rules': DAY_MS,
};

const reasons: Readonly<Record<ChangeKind, string>> = {
  password: msg('Your password was changed.'),
  'transaction-password': msg('Your transaction password was changed.'),
  factor: msg('Your second factor was changed.'),
  'factors-reset': msg('Our support removed your second factors, as was asked for your account.'),
  whitelist: msg('Your withdrawal addresses were changed.'),
  'withdrawal-rules': msg('The rules of your withdrawals were loosened.'),
};

/** Why, as a person is told; an operator's own words stay as they are. */
export const restrictionReason = ({ kind, reason }: Pick<RestrictionRow, 'kind' | 'reason'>, locale: Locale): string =>
  kind === 'operator' ? reason : inLanguage(reasons[kind], locale);

export interface RestrictionDeps {
  readonly store: RestrictionStore;
  readonly clients: Pick<ClientStore, 'clientById'>;
  readonly outbox: Pick<Outbox, 'statement' | 'statementGiven' | 'wake'>;
  readonly states: Pick<States, 'tell'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** `2026-11-21 20:09 UTC`. */
export const momentText = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

type NewRestriction = Omit<RestrictionRow, 'id' | 'from_at'>;

/** What a client is told of a restriction, by mail and on open pages. */
function createTelling({ store, clients, outbox, states, logger }: RestrictionDeps) {
  async function newsOf({ client_id, kind, reason, until_at }: NewRestriction) {
    const client = await clients.clientById(client_id);
    const words = restrictionReason({ kind, reason }, localeOf(client?.locale ?? 'en'));
    const until =
      until_at === null
        ? say('Withdrawals are paused while we look into it.')
        : say('Withdrawals are paused until {{until}}.', { until: momentText(until_at) });
    const mail = newsMail(client_id, say('Withdrawals are paused'), [
      { words },
      until,
      say("If this wasn't you, log out all devices in the security center, change your password and contact us."),
    ]);
    const show = () => states.tell(client_id, 'hold-begun', words, until_at);
    return { mail, show };
  }

  return {
    newsOf,
    /** The change that it is for was made; it neither waits for the mail nor fails with it, as `tellUntold` makes up for it. */
    async tell(id: number, restriction: NewRestriction): Promise<void> {
      try {
        const { mail, show } = await newsOf(restriction);
        show();
        await store.markTold(outbox.statementGiven(store.telling(id), mail));
        outbox.wake();
      } catch (err) {
        logger.warn({ err, restriction: id }, 'A pause of withdrawals could not be mailed; it is tried again');
      }
    },
  };
}

export function createRestrictions(deps: RestrictionDeps) {
  const { store, outbox, states, clock } = deps;
  const { newsOf, tell } = createTelling(deps);

  return {
    /**
     * A change of password, factor or whitelist, after which withdrawals are paused for a while: said by mail and to open
     * pages. They are paused before it is made, so that nothing leaves in between and no end of the process leaves it out;
     * where it was certainly not made, they never were.
     * @param isMade whether what the change answers says that it was made
     */
    async around<Result>(
      clientId: number,
      kind: ChangeKind,
      change: () => Promise<Result>,
      isMade: (result: Result) => boolean = () => true,
    ): Promise<Result> {
      const now = clock.now();
      const restriction = { client_id: clientId, kind, reason: '', until_at: now + pausesMs[kind], by_id: null };
      const id = await store.insertRestriction({ ...restriction, from_at: now });
      const result = await change().catch(async (error: unknown) => {
        if (error instanceof AuthorityEnded) await store.removeRestriction(id);
        throw error;
      });
      if (isMade(result)) await tell(id, restriction);
      else await store.removeRestriction(id);
      return result;
    },
    async byOperator(clientId: number, reason: string, until: number | null, operatorId: number): Promise<number> {
      const restriction = {
        client_id: clientId,
        kind: 'operator',
        reason,
        until_at: until,
        by_id: operatorId,
      } as const;
      const { mail, show } = await newsOf(restriction);
      const id = await store.insertRestriction({ ...restriction, from_at: clock.now() }, outbox.statement(mail));
      outbox.wake();
      show();
      return id;
    },
    /** A job: mails pauses whose change ended without an answer, and those of a process that ended before the mail. */
    async tellUntold(): Promise<void> {
      for (const row of await store.untold(clock.now() - UNTOLD_MS, TOLD_AT_ONCE)) await tell(row.id, row);
    },
    active: (clientId: number): Promise<RestrictionRow[]> => store.activeRestrictions(clientId, clock.now()),
    /** Undefined where it has ended. */
    find: (id: number): Promise<RestrictionRow | undefined> => store.activeRestriction(id, clock.now()),
    async lift(id: number): Promise<RestrictionRow | undefined> {
      const lifted = await store.liftRestriction(id, clock.now());
      if (lifted !== undefined) states.tell(lifted.client_id, 'hold-ended');
      return lifted;
    },
  };
}

export type Restrictions = ReturnType<typeof createRestrictions>;

/** When the last of them ends: ms since 1970, null for an open one, undefined when there is none. */
export function heldUntil(restrictions: readonly RestrictionRow[]): number | null | undefined {
  if (restrictions.length === 0) return undefined;
  const ends = restrictions.map(({ until_at }) => until_at);
  return ends.includes(null) ? null : Math.max(...(ends as number[]));
}
