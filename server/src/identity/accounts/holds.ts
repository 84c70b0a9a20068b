/** What keeps a client's withdrawals from leaving: 24 hours after a change, or as long as an operator says. */
import { type Locale, localeOf, msg } from '@cambist/contract/locales.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import type { ClientStore } from './client-store.ts';
import type { HoldKind, HoldRow, HoldStore } from './hold-store.ts';
import type { TellPerson } from './letters.ts';
import type { States } from './states.ts';

const DAY_MS = 86_400_000;

const reasons: Readonly<Record<Exclude<HoldKind, 'operator'>, string>> = {
  password: msg('Your password was changed.'),
  'transaction-password': msg('Your transaction password was changed.'),
  factor: msg('Your second factor was changed.'),
  whitelist: msg('Your withdrawal addresses were changed.'),
};

/** Why, as a person is told; an operator's own words stay as they are. */
export const holdReason = ({ kind, reason }: Pick<HoldRow, 'kind' | 'reason'>, locale: Locale): string =>
  kind === 'operator' ? reason : inLanguage(reasons[kind], locale);

export interface HoldDeps {
  readonly store: HoldStore;
  readonly clients: Pick<ClientStore, 'clientById'>;
  readonly tellPerson: TellPerson;
  readonly states: Pick<States, 'tell'>;
  readonly clock: { now(): number };
}

/** `2026-11-21 20:09 UTC`. */
export const momentText = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function createHolds({ store, clients, tellPerson, states, clock }: HoldDeps) {
  async function begin(hold: Omit<HoldRow, 'id' | 'from_at'>): Promise<number> {
    const id = await store.insertHold({ ...hold, from_at: clock.now() });
    const client = await clients.clientById(hold.client_id);
    const words = holdReason(hold, localeOf(client?.locale ?? 'en'));
    states.tell(hold.client_id, 'hold-begun', words, hold.until_at);
    const until =
      hold.until_at === null
        ? say('Withdrawals are held until we have looked into it.')
        : say('Withdrawals are held until {{until}}.', { until: momentText(hold.until_at) });
    await tellPerson(hold.client_id, say('Withdrawals are held'), [
      { words },
      until,
      say('If this was not you, sign out everywhere in the security centre, change your password and contact us.'),
    ]);
    return id;
  }

  return {
    /** After a change of password, factor or whitelist: 24 hours, said by mail and to open pages. */
    afterChange: (clientId: number, kind: Exclude<HoldKind, 'operator'>): Promise<number> =>
      begin({ client_id: clientId, kind, reason: '', until_at: clock.now() + DAY_MS, by_id: null }),
    byOperator: (clientId: number, reason: string, until: number | null, operatorId: number): Promise<number> =>
      begin({ client_id: clientId, kind: 'operator', reason, until_at: until, by_id: operatorId }),
    active: (clientId: number): Promise<HoldRow[]> => store.activeHolds(clientId, clock.now()),
    async lift(id: number): Promise<HoldRow | undefined> {
      const lifted = await store.liftHold(id, clock.now());
      if (lifted !== undefined) states.tell(lifted.client_id, 'hold-ended');
      return lifted;
    },
  };
}

export type Holds = ReturnType<typeof createHolds>;

/** When the last of them ends: ms since 1970, null for an open one, undefined when there is none. */
export function heldUntil(holds: readonly HoldRow[]): number | null | undefined {
  if (holds.length === 0) return undefined;
  const ends = holds.map(({ until_at }) => until_at);
  return ends.includes(null) ? null : Math.max(...(ends as number[]));
}
