/** What keeps a client's withdrawals from leaving: for some time after a change, or as long as an operator says. */
import { type Locale, localeOf, msg } from '@cambist/contract/locales.ts';
import { AuthorityEnded } from '../../platform/database.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import type { ClientStore } from './client-store.ts';
import type { TellPerson } from './mails.ts';
import type { RestrictionKind, RestrictionRow, RestrictionStore } from './restriction-store.ts';
import type { States } from './states.ts';

const DAY_MS = 86_400_000;

type ChangeKind = Exclude<RestrictionKind, 'operator'>;

/** How long each change pauses withdrawals; longest where it was not made by who is signed in. */
const pausesMs: Readonly<Record<ChangeKind, number>> = {
  password: DAY_MS,
  'transaction-password': DAY_MS,
  factor: DAY_MS,
  'factors-reset': 3 * DAY_MS,
  whitelist: DAY_MS,
};

const reasons: Readonly<Record<ChangeKind, string>> = {
  password: msg('Your password was changed.'),
  'transaction-password': msg('Your transaction password was changed.'),
  factor: msg('Your second factor was changed.'),
  'factors-reset': msg('Our support removed your second factors, as was asked for your account.'),
  whitelist: msg('Your withdrawal addresses were changed.'),
};

/** Why, as a person is told; an operator's own words stay as they are. */
export const restrictionReason = ({ kind, reason }: Pick<RestrictionRow, 'kind' | 'reason'>, locale: Locale): string =>
  kind === 'operator' ? reason : inLanguage(reasons[kind], locale);

export interface RestrictionDeps {
  readonly store: RestrictionStore;
  readonly clients: Pick<ClientStore, 'clientById'>;
  readonly tellPerson: TellPerson;
  readonly states: Pick<States, 'tell'>;
  readonly clock: { now(): number };
}

/** `2026-11-21 20:09 UTC`. */
export const momentText = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function createRestrictions({ store, clients, tellPerson, states, clock }: RestrictionDeps) {
  async function tell(restriction: Omit<RestrictionRow, 'id' | 'from_at'>): Promise<void> {
    const client = await clients.clientById(restriction.client_id);
    const words = restrictionReason(restriction, localeOf(client?.locale ?? 'en'));
    states.tell(restriction.client_id, 'hold-begun', words, restriction.until_at);
    const until =
      restriction.until_at === null
        ? say('Withdrawals are paused while we look into it.')
        : say('Withdrawals are paused until {{until}}.', { until: momentText(restriction.until_at) });
    await tellPerson(restriction.client_id, say('Withdrawals are paused'), [
      { words },
      until,
      say("If this wasn't you, log out all devices in the security center, change your password and contact us."),
    ]);
  }

  async function begin(restriction: Omit<RestrictionRow, 'id' | 'from_at'>): Promise<number> {
    const id = await store.insertRestriction({ ...restriction, from_at: clock.now() });
    await tell(restriction);
    return id;
  }

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
      if (isMade(result)) await tell(restriction);
      else await store.removeRestriction(id);
      return result;
    },
    byOperator: (clientId: number, reason: string, until: number | null, operatorId: number): Promise<number> =>
      begin({ client_id: clientId, kind: 'operator', reason, until_at: until, by_id: operatorId }),
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
