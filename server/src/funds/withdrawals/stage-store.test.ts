/** Limits and approvals where many come at once, past everything that a single process does about it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { evmElsewhere } from '../../../test/elsewhere.ts';
import { createClientStore } from '../../identity/accounts/client-store.ts';
import { byExchange } from '../../platform/authority.ts';
import type { Database } from '../../platform/database.ts';
import { say } from '../../platform/texts.ts';
import { createStageStore, type Limits } from './stage-store.ts';
import { createWithdrawalStore } from './store.ts';

const NOW = 10 * 86_400_000;

describe.each(databaseKinds)('withdrawals that are written at once (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let names = 0;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterAll(() => close());

  async function person(): Promise<number> {
    names += 1;
    const email = `written-${names}@example.test`;
    const id = await createClientStore(database).insertClient({
      ...{ email, emailKey: email, passwordHash: '', transactionPasswordHash: '', mobileNumber: '' },
      ...{ referral: '', uniqueId: email, role: 'client', provider: 'email', locale: 'en', createdAt: 0 },
    });
    if (id === undefined) throw new Error('The client is there already');
    return id;
  }
  const none: Limits = { day: 10_000n, own: null, unproven: null, count: 1000 };
  const add = (owner: number, changed: Partial<Limits> = {}, key?: string, approvalsRequired = 0, now = NOW) =>
    createStageStore(database).add({
      by: byExchange(owner),
      withdrawal: {
        ...{ coin: 'USDT', asset: 0, network: 'ERC20', address: evmElsewhere(1), amount: 100n, fee: 1n, worth: 100n },
        ...{ receiver: null, reasons: [], approvalsRequired, confirmationsRequired: 6 },
      },
      limits: { ...none, ...changed },
      intent: key === undefined ? undefined : { key, fingerprint: 'same' },
      conditions: [],
      detail: say('You have requested it.'),
      now,
    });
  const twenty = async (owner: number, changed: Partial<Limits>, key?: string) => {
    const all = await Promise.all(Array.from({ length: 20 }, () => add(owner, changed, key)));
    return Object.fromEntries(
      [...Map.groupBy(all, (one) => (one.kind === 'limit' ? one.limit : one.kind))].map(([name, some]) => [
        name,
        some.length,
      ]),
    );
  };

  it.each([
    ['day', { day: 750n }, 7],
    ['own', { own: 500n }, 5],
    ['one-step', { unproven: 1000n }, 10],
    ['hourly', { count: 3 }, 3],
  ] as const)('never exceed the limit called %s', async (name, limit, most) => {
    const owner = await person();
    expect(await twenty(owner, limit)).toEqual({ added: most, [name]: 20 - most });
    // Another client's are not counted, nor are those of the day before.
    expect((await add(await person(), limit)).kind).toBe('added');
    expect((await add(owner, limit, undefined, 0, NOW + 86_400_000)).kind).toBe('added');
  });

  it('have one row for a key', async () => {
    expect(await twenty(await person(), {}, 'a-key')).toEqual({ added: 1, 'key-taken': 19 });
  });

  it('go on once two operators have approved, each of whom counts once', async () => {
    const [owner, first, second] = [await person(), await person(), await person()];
    const added = await add(owner, {}, undefined, 2);
    if (added.kind !== 'added') throw new Error(added.kind);
    const stages = createStageStore(database);
    const { id } = added.withdrawal;
    await stages.move({ id, from: ['REQUESTED'], to: 'APPROVAL', actor: 'EXCHANGE', now: NOW });
    const approve = (operator: number) =>
      stages.approve(id, byExchange(operator), say('An operator has approved it.'), NOW);
    const many = await Promise.all(Array.from({ length: 5 }, () => approve(first)));
    expect(many.filter((one) => one === 'twice')).toHaveLength(4);
    expect((await createWithdrawalStore(database).find(id))?.stage).toBe('APPROVAL');
    expect(await approve(second)).toMatchObject({ stage: 'APPROVED' });
    expect(await approve(await person())).toBe('stage');
  });
});
