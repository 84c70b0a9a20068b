import { expect, it } from 'vitest';
import { makeTestDatabase } from '../../test/databases.ts';
import { lockWriter } from './postgres.ts';

it('lets one writer at a database: a second gives up, and gets it once the first is gone', async () => {
  const source = await makeTestDatabase('postgres');
  const url = source.environment.DATABASE_URL ?? '';
  const lost = () => undefined;
  const release = await lockWriter(url, 1000, lost);
  expect(release).toBeDefined();
  expect(await lockWriter(url, 300, lost)).toBeUndefined();
  await release?.();
  const second = await lockWriter(url, 3000, lost);
  expect(second).toBeDefined();
  await second?.();
  await source.remove();
});
