/** People of the browser tests: made by the calls, with the codes that were mailed to them. */
import { expect } from 'vitest';

export const PASSWORD = 'a newcomer walks in';
export const TRANSACTION_PASSWORD = 'first order';

/** The newest code that was mailed to the address. */
export async function mailedCode(url: string, to: string): Promise<string> {
  const answer = await fetch(`${url}/api/dev/outbox?to=${encodeURIComponent(to)}`);
  const { messages } = (await answer.json()) as { messages: { subject: string; text: string }[] };
  return /\b\d{6}\b/.exec(`${messages[0]?.subject} ${messages[0]?.text}`)?.[0] ?? '';
}

/** An account made by the calls, as fast as can be. */
export async function register(url: string, email: string, mobile = ''): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/api/v2/send-code', { email });
  const answer = await post('/api/v2/register', {
    code: await mailedCode(url, email),
    username: email,
    mobile_number: mobile,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    transaction_password: TRANSACTION_PASSWORD,
  });
  expect(await answer.json()).toEqual({ message: 'SUCCESS' });
}

export async function operatorToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'operator@cambist.test', password: 'operate-the-demo' }),
  });
  return ((await answer.json()) as { token: string }).token;
}

export async function actOn(url: string, email: string, act: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await operatorToken(url)}` };
  const found = await fetch(`${url}/api/v3/admin/clients?search=${encodeURIComponent(email)}`, { headers });
  const { clients } = (await found.json()) as { clients: { id: number }[] };
  const done = await fetch(`${url}/api/v3/admin/clients/${clients[0]?.id}/${act}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(done.status).toBe(200);
}
