/** Who may ask: each role with a good token at any time, and what every call must answer to it. */
import type { Http } from '../http.ts';
import { newKey, newPerson, OPERATOR, type Person, personWith, signIn, stepUp } from '../people.ts';
import type { Operation } from './document.ts';

export const roleNames = ['nobody', 'liar', 'client', 'frozen', 'operator', 'read-key', 'trade-key'] as const;
export type RoleName = (typeof roleNames)[number];

/** The calls by which a frozen client learns of it and signs out, and those that look at no account. */
const EVEN_WHEN_FROZEN = new Set(['/api/v3/logout', '/api/v3/account-client', '/api/v3/clients']);

/** @returns the statuses that refuse this role; undefined where the call is open to it */
export function refusedWith(role: RoleName, { access, keys }: Operation): readonly number[] | undefined {
  if (access === 'public') return undefined;
  if (role === 'liar') return [401];
  if (role === 'nobody') return access === 'visitor' ? undefined : [401];
  if (role === 'read-key' || role === 'trade-key') {
    return keys === 'any' || `${keys}-key` === role ? undefined : [403];
  }
  if (access.startsWith('operator:')) return role === 'operator' ? undefined : [403];
  const isForClients = access === 'holder' || access === 'trader';
  return role === 'operator' && isForClients ? [403] : undefined;
}

export const refusesFrozen = ({ access, path }: Operation): boolean =>
  ['client', 'holder', 'trader'].includes(access) && !EVEN_WHEN_FROZEN.has(path);

const MAINTENANCE = '/api/v3/admin/maintenance';

export interface Roles {
  token(role: RoleName): string | undefined;
  /** Makes anew whoever was signed out, frozen or kept out by what the attack did. */
  renew(): Promise<void>;
}

const isGood = async ({ send }: Person, path: string) => (await send('GET', path)).status === 200;

/** An operator who confirms what ends a maintenance. */
async function signInOperator(http: () => Http): Promise<Person> {
  const operator = await signIn(http, OPERATOR.email, OPERATOR.password);
  stepUp(operator, 'markets', OPERATOR.transactionPassword);
  return operator;
}

export async function createRoles(http: () => Http): Promise<Roles> {
  let operator = await signInOperator(http);
  let client = await newPerson(http, 'fuzz');
  let frozen = await freezeOne();
  let owner = client;
  let keys = new Map<RoleName, Person>();

  async function freezeOne(): Promise<Person> {
    const person = await newPerson(http, 'frozen');
    const found = await operator.send('GET', `/api/v3/admin/clients?search=${encodeURIComponent(person.email)}`);
    const { clients } = found.json<{ clients: { id: number }[] }>();
    const body = { reason: 'Frozen for the attack', until: null };
    await operator.send('POST', `/api/v3/admin/clients/${clients[0]?.id}/freeze`, body);
    return person;
  }

  async function keysOf(person: Person): Promise<Map<RoleName, Person>> {
    const made = await Promise.all(
      (['read', 'trade'] as const).map(async (permission) => {
        const { key } = (await newKey(person, [permission])).json<{ key: string }>();
        return [`${permission}-key` as const, personWith(http, person.email, key)] as const;
      }),
    );
    return new Map(made);
  }

  async function renew(): Promise<void> {
    let maintenance = await operator.send('GET', MAINTENANCE);
    if (maintenance.status !== 200) {
      operator = await signInOperator(http);
      maintenance = await operator.send('GET', MAINTENANCE);
    }
    const { on, halted_pairs } = maintenance.json<{ maintenance: { on: boolean; halted_pairs: number } }>().maintenance;
    const reason = 'The attack goes on';
    if (on) await operator.send('POST', MAINTENANCE, { on: false, reason, until: null });
    if (on || halted_pairs > 0) await operator.send('POST', `${MAINTENANCE}/resume-pairs`, { reason });
    if (!(await isGood(client, '/api/v3/trades/funds'))) client = await newPerson(http, 'fuzz');
    const readKey = keys.get('read-key');
    if (readKey === undefined || !(await isGood(readKey, '/api/v3/trades/funds'))) {
      owner = await newPerson(http, 'robot');
      keys = await keysOf(owner);
    }
    if (!(await isGood(frozen, '/api/v3/account-client')) || (await isGood(frozen, '/api/v3/trades/funds'))) {
      frozen = await freezeOne();
    }
  }

  await renew();
  return {
    renew,
    token(role) {
      if (role === 'nobody') return undefined;
      if (role === 'liar') return 'A'.repeat(43);
      if (role === 'client') return client.token;
      if (role === 'frozen') return frozen.token;
      return role === 'operator' ? operator.token : keys.get(role)?.token;
    },
  };
}
