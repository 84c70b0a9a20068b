/** What keeps a client's withdrawals from leaving: 24 hours after a change, or as long as an operator says. */
import { type Locale, localeOf, msg } from '@cambist/contract/locales.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import type { ClientStore } from './client-store.ts';
import type { TellPerson } from './mails.ts';
import type { RestrictionKind, RestrictionRow, RestrictionStore } from './restriction-store.ts';
import type { States } from './states.ts';

const DAY_MS = 86_400_000;

const reasons: Readonly<Record<Exclude<RestrictionKind, 'operator'>, string>> = {
  password: msg('Your password was changed.'),
  'transaction-password': msg('Your transaction password was changed.'),
  factor: msg('Your second factor was changed.'),
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
  async function begin(restriction: Omit<RestrictionRow, 'id' | 'from_at'>): Promise<number> {
    const id = await store.insertRestriction({ ...restriction, from_at: clock.now() });
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
    return id;
  }

  return {
    /** After a change of password, factor or whitelist: 24 hours, said by mail and to open pages. */
    afterChange: (clientId: number, kind: Exclude<RestrictionKind, 'operator'>): Promise<number> =>
      begin({ client_id: clientId, kind, reason: '', until_at: clock.now() + DAY_MS, by_id: null }),
    byOperator: (clientId: number, reason: string, until: number | null, operatorId: number): Promise<number> =>
      begin({ client_id: clientId, kind: 'operator', reason, until_at: until, by_id: operatorId }),
    active: (clientId: number): Promise<RestrictionRow[]> => store.activeRestrictions(clientId, clock.now()),
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
