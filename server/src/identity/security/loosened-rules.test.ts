/** Loosening the rules of one's own withdrawals: a mailed code, a mail, and a day without withdrawals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { type Person, type Stage, startStage } from '../../../test/authority-stage.ts';
import { databaseKinds } from '../../../test/databases.ts';

const DAY_MS = 86_400_000;
const URL = '/api/v3/security/withdrawal';

describe.each(databaseKinds)('rules of withdrawals (%s)', (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(kind);
  });
  afterAll(() => stage.server.remove());

  const set = (token: string, rules: object) => stage.ask('PATCH', URL, token, rules);
  const limit = (token: string, usdt: number) =>
    stage.post('/api/v3/update-withdraw-limit', token, { withdraw_limit: usdt });
  const isHeld = async ({ id }: Person) => {
    const { restrictions } = stage.server.app.accounts;
    return (await restrictions.active(id)).map(({ kind: name }) => name);
  };
  async function mails({ email }: Person): Promise<{ subject: string; text: string }[]> {
    await stage.server.app.outbox.run();
    const { body } = await stage.ask('GET', `/api/dev/outbox?to=${encodeURIComponent(email)}`);
    return body.messages as { subject: string; text: string }[];
  }

  it('are loosened by the mailed code, which says so by mail and holds withdrawals for a day', async () => {
    const who = await stage.person();
    const refused = (await set(who.token, { one_step: true })).body as {
      step_up: { purpose: string; act: string; needs: string[] };
    };
    const { purpose, act, needs } = refused.step_up;
    expect(needs).toEqual(['transaction_password', 'email_code']);
    const proof = { purpose, act, transaction_password: TRANSACTION_PASSWORD };
    const confirm = async (more: object) =>
      (await stage.post('/api/v3/step-up', who.token, { ...proof, ...more })).body;
    expect((await confirm({})).message).toBe('wrong_email_code');
    expect((await stage.post('/api/v3/step-up/code', who.token)).body.message).toBe('success');
    const code = (await mails(who))[0]?.subject.slice(0, 6) ?? '';
    const other = code === '000000' ? '000001' : '000000';
    expect((await confirm({ email_code: other })).message).toBe('wrong_email_code');
    expect((await confirm({ email_code: code })).message).toBe('success');
    // Used once, also by the next act.
    expect((await confirm({ email_code: code })).message).toBe('wrong_email_code');
    expect(await isHeld(who)).toEqual([]);
    expect((await set(who.token, { one_step: true })).status).toBe(200);
    expect(await isHeld(who)).toEqual(['withdrawal-rules']);
    const [mail] = await mails(who);
    expect(mail?.subject).toBe('Withdrawals are paused');
    expect(mail?.text).toContain('The rules of your withdrawals were loosened.');
    stage.advance(DAY_MS + 1);
    expect(await isHeld(who)).toEqual([]);
  });

  it.each<[string, (token: string) => Promise<unknown>, (token: string) => ReturnType<typeof set>]>([
    [
      'whitelist-only off',
      (token) => set(token, { whitelist_only: true }),
      (token) => set(token, { whitelist_only: false }),
    ],
    ['a higher limit', (token) => limit(token, 500), (token) => limit(token, 1000)],
    ['no limit', (token) => limit(token, 500), (token) => set(token, { withdraw_limit: null })],
  ])('are looser by %s', async (_name, tighten, loosen) => {
    const who = await stage.person();
    await tighten(who.token);
    expect(await isHeld(who)).toEqual([]);
    expect((await loosen(who.token)).body.code).toBe('STEP_UP_REQUIRED');
    await stage.stepUp(who.token, 'withdrawal-settings');
    expect((await loosen(who.token)).status).toBe(200);
    expect(await isHeld(who)).toEqual(['withdrawal-rules']);
  });

  it('are tightened at once, without a question, a mail or a hold', async () => {
    const who = await stage.person();
    await stage.stepUp(who.token, 'withdrawal-settings');
    await set(who.token, { one_step: true });
    stage.advance(DAY_MS + 1);
    const before = (await mails(who)).length;
    expect((await set(who.token, { one_step: false, whitelist_only: true })).status).toBe(200);
    expect((await limit(who.token, 1500)).status).toBe(200);
    expect((await limit(who.token, 500)).status).toBe(200);
    expect(await isHeld(who)).toEqual([]);
    expect(await mails(who)).toHaveLength(before);
  });

  it('are not held where the change was not made', async () => {
    const who = await stage.person();
    await stage.stepUp(who.token, 'withdrawal-settings');
    const held = stage.source.hold(/UPDATE clients SET withdraw_limit/, 'before');
    const waiting = set(who.token, { one_step: true });
    await held.reached;
    await stage.query('UPDATE clients SET auth_epoch = auth_epoch + 1 WHERE id = $1', [who.id]);
    held.release();
    expect((await waiting).status).toBe(409);
    expect(await isHeld(who)).toEqual([]);
  });
});
