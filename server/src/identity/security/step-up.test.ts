/** A step-up is for one act: which it allows, and which not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { type Stage, startStage } from '../../../test/authority-stage.ts';
import { databaseKinds } from '../../../test/databases.ts';

describe.each(databaseKinds)('a step-up (%s)', (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(kind);
  });
  afterAll(() => stage.server.remove());

  const address = (n: number) => ({
    label: 'Cold',
    coin: 'usdt',
    network: 'erc20',
    address: `0x${String(n).repeat(40)}`,
  });
  const add = (who: string, n: number) => stage.post('/api/v3/whitelist', who, address(n));
  async function asked(who: string, n: number) {
    const { code, step_up } = (await add(who, n)).body;
    expect(code).toBe('STEP_UP_REQUIRED');
    return step_up as { purpose: string; act: string };
  }
  const confirm = async (
    token: string,
    { purpose, act }: { purpose: string; act: string },
    password = TRANSACTION_PASSWORD,
  ) => (await stage.post('/api/v3/step-up', token, { purpose, act, transaction_password: password })).body;

  it('allows one call with its values, once, in its session and for ten minutes', async () => {
    const { email, token } = await stage.person();
    const other = String((await stage.login(email)).body.token);
    const need = await asked(token, 1);
    expect(await confirm(token, need, 'guess')).toEqual({ message: 'wrong_transaction_password', granted_until: null });
    expect((await confirm(token, need)).message).toBe('success');
    // Neither another address nor another session.
    await asked(token, 2);
    await asked(other, 1);
    // Fields in another order are the same act. Of two at once, one is done.
    const { label, ...rest } = address(1);
    const again = () => stage.post('/api/v3/whitelist', token, { ...rest, label });
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const late = await asked(token, 3);
    await confirm(token, late);
    stage.advance(10 * 60_000 + 1);
    await asked(token, 3);
    // A grant of one purpose is none of another.
    await confirm(token, { ...(await asked(token, 3)), purpose: 'privacy' });
    await asked(token, 3);
  });
});
