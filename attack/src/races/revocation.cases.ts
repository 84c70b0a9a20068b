/** Whatever ends an authority ends it against every request, sign-in and socket that is under way with it. */
import { expect, it } from 'vitest';
import {
  login,
  mailedCode,
  newKey,
  newPerson,
  OPERATOR,
  PASSWORD,
  type Person,
  personWith,
  signIn,
  stepUp,
} from '../people.ts';
import { sizes } from '../sizes.ts';
import { listenAs } from '../stream.ts';
import type { Target } from '../target.ts';
import { actOn, together, useAfter } from './hammer.ts';

const { rounds } = sizes;
const CLIENT = '/api/v3/account-client';
const FUNDS = '/api/v3/trades/funds';
const NEXT_PASSWORD = 'another-long-password';
const GONE_MS = 5000;

/** @param ofTarget the target, once it runs */
export function revocationCases(ofTarget: () => Target): void {
  const http = () => ofTarget().http;
  const act = async (email: string, what: string) =>
    actOn(http(), await signIn(http, OPERATOR.email, OPERATOR.password), email, what);

  async function changePassword(person: Person): Promise<void> {
    stepUp(person, 'password');
    const body = { oldLoginPassword: PASSWORD, password: NEXT_PASSWORD };
    const answer = await person.send('POST', '/api/v3/update-password', body);
    expect(answer.json()).toEqual({ message: 'saved' });
  }

  async function resetPassword({ email }: Person): Promise<void> {
    const ask = () => http().send('POST', '/api/v3/forgot-password/send-code', { body: { email } });
    const code = await mailedCode(http(), email, ask);
    const verified = await http().send('POST', '/api/v3/forget-password-code/verify', { body: { email, code } });
    const { reset_token } = verified.json<{ reset_token: string }>();
    const body = { email, password: NEXT_PASSWORD, reset_token };
    const answer = await http().send('POST', '/api/v3/reset-password', { body });
    expect(answer.json()).toEqual({ message: 'success' });
  }

  async function endOther(owner: Person): Promise<void> {
    const { sessions } = (await owner.send('GET', '/api/v3/sessions')).json<{
      sessions: { id: number; is_this: boolean }[];
    }>();
    const other = sessions.find(({ is_this }) => !is_this);
    expect((await owner.send('DELETE', `/api/v3/sessions/${other?.id}`)).status).toBe(200);
  }

  /** Each ends the victim's session; the owner is the same client in another. */
  const ends: Readonly<Record<string, (victim: Person, owner: Person) => Promise<unknown>>> = {
    'a logout': (victim) => victim.send('POST', '/api/v3/logout'),
    'the end of one session': (_victim, owner) => endOther(owner),
    'the end of all others': (_victim, owner) => owner.send('POST', '/api/v3/sessions/end-others', {}),
    'a change of the password': (_victim, owner) => changePassword(owner),
    'a reset of the password': (victim) => resetPassword(victim),
    "an operator's end of all sessions": ({ email }) => act(email, 'end-sessions'),
    'a deletion of the account': async (_victim, owner) => {
      stepUp(owner, 'privacy');
      await owner.send('POST', '/api/v3/account/deletion', { confirm: 'DELETE' });
    },
  };

  it.each(Object.keys(ends))('%s ends a session that is in use, and its sockets', async (name) => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await newPerson(http, 'owner');
      const victim = await signIn(http, owner.email);
      const stream = await listenAs(http().url, victim.token, ['account-state']);
      expect(await useAfter(victim, CLIENT, () => ends[name]?.(victim, owner) ?? Promise.resolve())).toEqual([401]);
      await expect.poll(() => stream.isOpen(), { timeout: GONE_MS }).toBe(false);
    }
  });

  it('a session does not come back after the server has', async () => {
    const victim = await newPerson(http, 'again');
    await useAfter(victim, CLIENT, () => victim.send('POST', '/api/v3/logout'));
    await ofTarget().restart();
    expect((await victim.send('GET', CLIENT)).status).toBe(401);
  });

  it('a freeze shuts a session that is in use out of everything but its state, and its sockets', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const victim = await newPerson(http, 'frozen');
      const stream = await listenAs(http().url, victim.token, ['account-state', 'account']);
      expect(await useAfter(victim, FUNDS, () => act(victim.email, 'freeze'))).toEqual([403]);
      expect((await victim.send('GET', CLIENT)).status).toBe(200);
      const before = stream.heard.length;
      stream.send({ op: 'subscribe', args: [{ channel: 'orders' }] });
      const answer = await stream.until((push) => stream.heard.indexOf(push) >= before && 'event' in push, 3000);
      expect(answer?.event ?? 'closed').not.toBe('subscribe');
      stream.close();
    }
  });

  it('a revoked API key is dead at once, and its sockets', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await newPerson(http, 'robots');
      const { key } = (await newKey(owner, ['read'])).json<{ key: string }>();
      const robot = personWith(http, owner.email, key);
      const stream = await listenAs(http().url, key, ['orders']);
      const revoke = async () => {
        const listed = await owner.send('GET', '/api/v3/app-authorization');
        const { api_keys } = listed.json<{ api_keys: { id: number }[] }>();
        await owner.send('DELETE', `/api/v3/api-keys/${api_keys[0]?.id}`);
      };
      expect(await useAfter(robot, FUNDS, revoke)).toEqual([401]);
      await expect.poll(() => stream.isOpen(), { timeout: GONE_MS }).toBe(false);
    }
  });

  it('a sign-in by the old password that is under way when it changes opens no session that stays', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await newPerson(http, 'late');
      stepUp(owner, 'password');
      const entering = together(8, async (index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 12));
        return login(http(), owner.email, PASSWORD);
      });
      await changePassword(owner);
      const tokens = (await entering).flatMap((answer) =>
        answer.status === 200 ? [answer.json<{ token: string }>().token] : [],
      );
      const alive = await Promise.all(tokens.map((token) => http().send('GET', CLIENT, { token })));
      expect(alive.map(({ status }) => status)).toEqual(tokens.map(() => 401));
    }
  });

  it('a change of the transaction password ends the unlock and the step-ups that rest on the old one', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await newPerson(http, 'changed');
      stepUp(owner, 'connections');
      stepUp(owner, 'transaction-password');
      const unlocking = together(6, () =>
        owner.send('POST', '/api/v3/trading-unlock', { transaction_password: 'order-it', minutes: 60 }),
      );
      const changed = await owner.send('POST', '/api/v3/update-transaction-password', {
        oldTransactionPassword: 'order-it',
        transactionPassword: 'order-it-anew',
      });
      expect(changed.json()).toEqual({ message: 'saved' });
      await unlocking;
      const unlocked = await owner.send('GET', '/api/v3/trading-unlock');
      expect(unlocked.json()).toEqual({ unlocked_until: null });
      const refused = await owner.send('POST', '/api/v3/api-keys', { label: 'x', permissions: ['read'], days: 1 });
      expect(refused.json<{ code: string }>().code).toBe('STEP_UP_REQUIRED');
    }
  });
}
