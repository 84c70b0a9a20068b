/** Operators in the database: what a link is good for, who may be removed, and what is on record. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds, openMigrated, type TestDatabase } from '../../../test/databases.ts';
import { createAudit, createAuditStore } from '../../operator/audit/service.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { createPasswords } from '../accounts/service.ts';
import { createOperatorLinks, createOperators } from './service.ts';

const DAY_MS = 86_400_000;

describe.each(databaseKinds)('operators (%s)', (kind) => {
  let database: Database;
  let source: TestDatabase;
  let now = Date.now();
  const ended: number[] = [];
  const anonymised: number[] = [];

  const make = () => {
    const clock = { now: () => now };
    const audit = createAudit({ store: createAuditStore(database), clock });
    const operators = createOperators({ database, audit, clock });
    const links = createOperatorLinks({
      database,
      audit,
      clock,
      passwords: createPasswords(),
      logger: createLogger('silent'),
      async revoke(clientId) {
        if (ended.length === 0 && clientId < 0) throw new Error('never');
        ended.push(clientId);
      },
      anonymise: async (clientId) => {
        anonymised.push(clientId);
      },
    });
    return { operators, links, audit };
  };
  const added = async (email: string) => {
    const linked = await make().operators.add(email);
    if (!linked.ok) throw new Error(linked.error);
    return linked;
  };

  beforeAll(async () => {
    ({ database, source } = await openMigrated(kind));
  });
  afterAll(async () => {
    await database.close();
    await source.remove();
  });

  it('a link is kept hashed, ends after a day, and is replaced by the next', async () => {
    const { links } = make();
    const first = await added('one@example.test');
    expect(first.isNew).toBe(true);
    const rows = await database.query<{ token_hash: string }>('SELECT token_hash FROM operator_links');
    expect(rows.map(({ token_hash }) => token_hash)).not.toContain(first.token);
    const second = await added('One@Example.test');
    expect(second.isNew).toBe(false);
    expect(await links.read(first.token)).toBeUndefined();
    expect(await links.use(first.token, PASSWORD, TRANSACTION_PASSWORD, '')).toBe('invalid');
    now += DAY_MS;
    expect(await links.read(second.token)).toBeUndefined();
    expect(await links.use(second.token, PASSWORD, TRANSACTION_PASSWORD, '')).toBe('invalid');
  });

  it('a stolen password does not use the link up; of many uses at once one does', async () => {
    const { links } = make();
    const { token } = await added('one@example.test');
    expect(await links.use(token, 'password1', TRANSACTION_PASSWORD, '')).toBe('stolen-password');
    const used = await Promise.all(
      Array.from({ length: 8 }, () => links.use(token, PASSWORD, TRANSACTION_PASSWORD, '')),
    );
    expect(used.filter((result) => result === 'success')).toHaveLength(1);
  });

  it('of two operators that are removed at once one stays', async () => {
    const { operators } = make();
    await added('two@example.test');
    const removed = await Promise.all([
      operators.remove('one@example.test', false),
      operators.remove('two@example.test', false),
    ]);
    expect(removed.sort()).toEqual(['the-last', undefined]);
    expect(await operators.list()).toHaveLength(1);
  });

  it('what the command ended is carried out once, and is on record', async () => {
    const { links, audit } = make();
    await links.carryOut();
    expect(ended.length).toBeGreaterThan(0);
    expect(anonymised).toHaveLength(1);
    const before = ended.length;
    await links.carryOut();
    expect(ended).toHaveLength(before);
    const filter = { clientId: undefined, actorId: undefined, act: undefined, limit: 100, before: 1_000_000 };
    const acts = new Set((await audit.list(filter)).map(({ act }) => act));
    expect(acts).toEqual(new Set(['add-operator', 'rekey-operator', 'set-up-operator', 'remove-operator']));
  });
});
