/** Clients of an exchange, made by its public calls and the development mailbox. */
import type { Answer, Http, Sending } from './http.ts';

export const PASSWORD = 'a-long-password';
export const TRANSACTION_PASSWORD = 'order-it';
/** Made by the server itself in development. */
export const OPERATOR = {
  email: 'operator@cambist.test',
  password: 'operate-the-demo',
  transactionPassword: 'demo-operator',
};

export interface Person {
  readonly email: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown, sending?: Sending): Promise<Answer>;
  /** From now on the person confirms each call that asks for a step-up for this purpose. */
  promise(purpose: string, proof: object): void;
}

const MAIL_TRIES = 200;
const MAIL_WAIT_MS = 25;

let made = 0;

interface Mail {
  readonly text: string;
}

async function mailsTo(http: Http, email: string): Promise<Mail[]> {
  const mailbox = await http.send('GET', `/api/dev/outbox?to=${encodeURIComponent(email)}`);
  return mailbox.json<{ messages: Mail[] }>().messages;
}

/** The code of the mail that an act sends, which may come after the act is answered. @throws when none comes */
export async function mailedCode(http: Http, email: string, act: () => Promise<unknown>): Promise<string> {
  const before = (await mailsTo(http, email)).length;
  await act();
  for (let tries = 0; tries < MAIL_TRIES; tries += 1) {
    const [newest, ...rest] = await mailsTo(http, email);
    const code = rest.length >= before ? /\b\d{6}\b/.exec(newest?.text ?? '')?.[0] : undefined;
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, MAIL_WAIT_MS));
  }
  throw new Error(`No code came for ${email}`);
}

/** Calls of one session that are answered with the same question at once. */
const MOST_ASKED = 200;

/** Answers the question for a step-up with what `stepUp` has promised for its purpose. */
export function personWith(http: () => Http, email: string, token: string): Person {
  const proofs = new Map<string, object>();
  const plain: Person['send'] = (method, path, body, sending) => http().send(method, path, { token, body, ...sending });
  return {
    email,
    token,
    promise: (purpose, proof) => void proofs.set(purpose, proof),
    async send(...call) {
      for (let tries = 0; ; tries += 1) {
        const answer = await plain(...call);
        if (answer.status !== 403 || tries === MOST_ASKED) return answer;
        const need = answer.json<{ step_up?: { purpose: string; act: string; needs: string[] } }>().step_up;
        const proof = need && proofs.get(need.purpose);
        if (need === undefined || proof === undefined) return answer;
        const { purpose, act } = need;
        const askCode = () => plain('POST', '/api/v3/step-up/code', {});
        const isMailed = need.needs.includes('email_code');
        const code = isMailed ? { email_code: await mailedCode(http(), email, askCode) } : {};
        const given = await plain('POST', '/api/v3/step-up', { purpose, act, ...proof, ...code });
        if (given.status !== 200 || given.json<{ message: string }>().message !== 'success') return answer;
      }
    },
  };
}

/** @returns the answer to a sign-in by password */
export function login(http: Http, username: string, password: string, sending: Sending = {}): Promise<Answer> {
  return http.send('POST', '/api/v3/login', { body: { username, password }, ...sending });
}

export async function signIn(http: () => Http, email: string, password = PASSWORD, from?: string): Promise<Person> {
  const answer = await login(http(), email, password, { from });
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status} ${answer.text}`);
  return personWith(http, email, answer.json<{ token: string }>().token);
}

export async function register(http: Http, email: string): Promise<void> {
  const ask = () => http.send('POST', '/api/v2/send-code', { body: { email } });
  const code = await mailedCode(http, email, ask);
  const answer = await http.send('POST', '/api/v2/register', {
    body: {
      code,
      username: email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
      transaction_password: TRANSACTION_PASSWORD,
    },
  });
  if (answer.status !== 200) throw new Error(`${email} cannot register: ${answer.status} ${answer.text}`);
}

/** Somebody new, signed in. The name becomes part of an address that nobody else has. */
export async function newPerson(http: () => Http, name: string): Promise<Person> {
  made += 1;
  const email = `${name}-${process.pid}-${made}@example.test`;
  await register(http(), email);
  return signIn(http, email);
}

/** Development funds, and orders without the transaction password for an hour. */
export async function fund(person: Person, funds: Readonly<Record<string, string>>): Promise<void> {
  for (const [coin, amount] of Object.entries(funds)) await person.send('POST', '/api/dev/faucet', { coin, amount });
  await unlock(person);
}

export async function unlock(person: Person): Promise<void> {
  const body = { transaction_password: TRANSACTION_PASSWORD, minutes: 60 };
  await person.send('POST', '/api/v3/trading-unlock', body);
}

export function stepUp(person: Person, purpose: string, password = TRANSACTION_PASSWORD): void {
  person.promise(purpose, { transaction_password: password });
}

export async function newKey(person: Person, permissions: readonly string[], label = 'robot'): Promise<Answer> {
  stepUp(person, 'connections');
  return person.send('POST', '/api/v3/api-keys', { label, permissions, days: 30 });
}
