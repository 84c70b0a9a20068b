/** Personal information, limits, the mobile number, and text messages through a gateway. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
import { createHttpSms } from '../../people/sms/service.ts';

let server: TestApp;
let token = '';
beforeAll(async () => {
  server = await startTestApp(anyKind);
  token = await server.client('paula', { USDT: '250' });
});
afterAll(() => server.remove());

type Answer = { status: number; body: Record<string, unknown> };
const get = (url: string, who = token) => server.call({ method: 'GET', url, token: who }) as Promise<Answer>;
const post = (url: string, payload: object, who = token) =>
  server.call({ method: 'POST', url, payload, token: who }) as Promise<Answer>;

async function smsCode(to: string): Promise<string> {
  const { messages } = (await get(`/api/dev/sms-outbox?to=${encodeURIComponent(to)}`)).body as {
    messages: { text: string }[];
  };
  return messages[0]?.text.slice(0, 6) ?? '';
}

describe('the profile', () => {
  it('answers its fields, empty at first (A-calls-35, A-profile-35..41)', async () => {
    expect((await get('/api/v3/profile')).body.profile).toEqual({
      id: expect.any(Number),
      name: '',
      gender: '',
      date_of_birth: '',
      address: '',
      email: 'paula@example.test',
      membership_level: 'NO_BADGE',
      mobile_number: '',
    });
  });

  it('is saved by my-profile, GET and POST, and by update-profile; what is left out stays (A-calls-36..39)', async () => {
    const query = new URLSearchParams({
      client_id: '1',
      name: 'Paula Lima',
      gender: 'Female',
      date_of_birth: '1990-02-28',
    });
    expect((await get(`/api/v3/my-profile?${query}`)).body).toMatchObject({
      message: 'success',
      profile: { name: 'Paula Lima', gender: 'Female' },
    });
    await post('/api/v3/my-profile', { address: 'Rua 1, Lisboa' });
    const saved = await post('/api/v3/update-profile', { name: 'Paula de Lima' });
    expect(saved.body.profile).toMatchObject({
      name: 'Paula de Lima',
      gender: 'Female',
      date_of_birth: '1990-02-28',
      address: 'Rua 1, Lisboa',
    });
    expect((await get('/api/v3/profile')).body.profile).toEqual(saved.body.profile);
  });

  it.each([
    [{ gender: 'Other' }, 'gender'],
    [{ date_of_birth: '1990-02-30' }, 'date_of_birth'],
    [{ date_of_birth: 'yesterday' }, 'date_of_birth'],
    [{ name: 'x'.repeat(121) }, 'name'],
  ])('refuses %j', async (change, field) => {
    const answer = await post('/api/v3/update-profile', change);
    expect(answer.status).toBe(422);
    expect((answer.body.errors as { field: string }[])[0]?.field).toBe(field);
  });

  it('the client’s record says FALSE while unverified (A-calls-34)', async () => {
    expect((await get('/api/v3/clients?client_id=7')).body).toMatchObject({
      verified: 'FALSE',
      clients: { verified: 'FALSE' },
    });
  });

  it('the summary says level, type and who he is', async () => {
    expect((await get('/api/v3/account-summary')).body).toMatchObject({
      email: 'paula@example.test',
      account_status: 'Unverified',
      membership_level: 'NO_BADGE',
      vip_level: 0,
      user_type: 'Personal',
    });
  });

  it('the overview has its totals and what was gained today (A-account-state-13..17)', async () => {
    expect((await get('/api/v3/overview')).body).toMatchObject({
      spotTotal: '250.00000000',
      earnTotal: expect.stringMatching(/^0/),
      futureTotal: expect.stringMatching(/^0/),
      pnl: { value: expect.stringMatching(/^0\.0+$/), percentage: '0.00' },
    });
  });

  it('limits are of the tier, with what has moved today (A-profile-31..34)', async () => {
    expect((await get('/api/v3/account-limits')).body).toMatchObject({
      tier: 0,
      limits: [
        { name: 'fiat', limit: '50000', unit: 'USD' },
        { name: 'crypto_deposit', limit: null, used_today: '250.00000000' },
        { name: 'crypto_withdrawal', limit: '8000000', unit: 'USDT', used_today: '0.00000000' },
        { name: 'p2p', limit: null },
      ],
    });
  });
});

describe('the mobile number', () => {
  const number = '+14155550123';

  it('is bound by a code that came by SMS (A-calls-57..59, A-calls-61, A-security-33..36)', async () => {
    expect((await get('/api/v3/bind-accounts')).body).toMatchObject({
      gmail: { email: '' },
      apple: { status: 'Not available' },
      mobile: { status: 'Unverified', email: 'paula@example.test' },
    });
    const send = await get('/api/v3/sendSMSCode?type=REGISTER&mobile_number=4155550123');
    expect(send.body).toEqual({ message: 'success', resend_after_s: 60 });
    const verify = (verification_code: string, mobile_number = number) =>
      post('/api/v3/verify-mobile', { verification_code, mobile_number });
    const code = await smsCode(number);
    expect(code).toMatch(/^\d{6}$/);
    expect((await verify(code, '+14155550124')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    expect((await verify(code)).body).toEqual({ message: 'success' });
    expect((await get('/api/v3/bind-accounts')).body.mobile).toEqual({
      status: 'Verified',
      email: 'paula@example.test',
      number,
    });
    expect((await get('/api/v3/sendSMSCode?type=LOGIN&mobile_number=4155550123')).status).toBe(422);
  });

  it('is bound by an old client, which asks by GET (A-calls-60)', async () => {
    const own = '+14155550321';
    const old = await server.client('old-client', {});
    await post('/api/v3/sendSMSCode', { mobile_number: own }, old);
    const ask = (verification_code: string) => {
      const query = new URLSearchParams({ verification_code, mobile_number: own });
      return server.call({ method: 'GET', url: `/api/v3/verify-mobile?${query}`, token: old });
    };
    expect((await ask('000000x')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    const bound = await ask(await smsCode(own));
    expect(bound.body).toEqual({ message: 'success' });
    expect(bound.headers['cache-control']).toBe('no-store');
    expect((await get('/api/v3/bind-accounts', old)).body.mobile).toMatchObject({ status: 'Verified', number: own });
  });

  it('is asked for again where the clock was set back since the last code, and takes the new one', async () => {
    const own = '+14155550888';
    const late = await server.client('late', {});
    const send = () => post('/api/v3/sendSMSCode', { mobile_number: own }, late);
    await send();
    const hours = 24 * 3_600_000;
    server.advance(-hours);
    expect((await send()).body).toEqual({ message: 'success', resend_after_s: 60 });
    expect(await send()).toMatchObject({ status: 429, body: { code: 'CODE_SENT_RECENTLY' } });
    const shown = { verification_code: await smsCode(own), mobile_number: own };
    expect((await post('/api/v3/verify-mobile', shown, late)).body).toEqual({ message: 'success' });
    server.advance(hours);
  });

  it('asks for a step-up before another takes its place, and stays with who has proven it', async () => {
    const next = '+14155550777';
    await post('/api/v3/sendSMSCode', { mobile_number: next });
    const change = { verification_code: await smsCode(next), mobile_number: next };
    expect((await post('/api/v3/verify-mobile', change)).body.code).toBe('STEP_UP_REQUIRED');
    await post('/api/v3/step-up', { purpose: 'connections', transaction_password: TRANSACTION_PASSWORD });
    expect((await post('/api/v3/verify-mobile', change)).body).toEqual({ message: 'success' });
    const rival = await server.client('rival', {});
    await post('/api/v3/sendSMSCode', { mobile_number: next }, rival);
    const taken = { verification_code: await smsCode(next), mobile_number: next };
    expect((await post('/api/v3/verify-mobile', taken, rival)).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
  });
});

it('hands a text message to the gateway with its token, and rejects when it is not taken', async () => {
  const received: { token: string | undefined; body: unknown }[] = [];
  const gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ token: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(received.length === 1 ? 202 : 503).end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/messages`;
  const sms = createHttpSms({ url, token: 'gateway-token', from: 'Cambist' });
  await sms.send('+14155550100', '123456 is your code');
  expect(received[0]).toEqual({
    token: 'Bearer gateway-token',
    body: { from: 'Cambist', to: '+14155550100', text: '123456 is your code' },
  });
  await expect(sms.send('+14155550100', 'again')).rejects.toThrow('503');
  gateway.close();
});
