/** A token in use: requests go on side by side while something happens to it. */
import type { Http } from '../http.ts';
import type { Person } from '../people.ts';

const AT_ONCE = 12;
const AFTERWARDS = 24;
const LATER_MS = 150;

export interface Hammer {
  stop(): Promise<void>;
}

export function hammer(person: Person, path: string): Hammer {
  let isOn = true;
  const work = Array.from({ length: AT_ONCE }, async () => {
    while (isOn) await person.send('GET', path);
  });
  return {
    async stop() {
      isOn = false;
      await Promise.all(work);
    },
  };
}

/** @returns the statuses of requests that were all sent after this was called */
async function statuses(person: Person, path: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: AFTERWARDS }, () => person.send('GET', path)));
  return answers.map(({ status }) => status);
}

/**
 * Revokes a token that is in use, and uses it again once the revocation has been answered: at once, while the requests
 * from before still come back, and when all is quiet.
 * @returns the statuses that came, each once
 */
export async function useAfter(person: Person, path: string, revoke: () => Promise<unknown>): Promise<number[]> {
  const inUse = hammer(person, path);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await revoke();
  const seen = new Set(await statuses(person, path));
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  for (const status of await statuses(person, path)) seen.add(status);
  await inUse.stop();
  for (const status of await statuses(person, path)) seen.add(status);
  return [...seen].sort();
}

/** All at once. */
export const together = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

export const countOf = <Item>(items: readonly Item[], fits: (item: Item) => boolean): number =>
  items.filter(fits).length;

/** An operator's act on a client. */
export async function actOn(http: Http, operator: Person, email: string, act: string): Promise<number> {
  const path = `/api/v3/admin/clients?search=${encodeURIComponent(email)}`;
  const { clients } = (await operator.send('GET', path)).json<{ clients: { id: number }[] }>();
  const body = { reason: 'An attack is under way', until: null };
  const answer = await http.send('POST', `/api/v3/admin/clients/${clients[0]?.id}/${act}`, {
    token: operator.token,
    body: act === 'end-sessions' ? { reason: body.reason } : body,
  });
  return answer.status;
}
