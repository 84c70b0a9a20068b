/** The jobs behind exports and deletions: one that fails, or that money keeps, never stands before the others. */
import { expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { createPrivacy, type PrivacyDeps } from './privacy.ts';

function world({ due, bad }: { readonly due: readonly number[]; readonly bad: (id: number) => boolean }) {
  const done: number[] = [];
  const page = (after: number, limit: number) => due.filter((id) => id > after).slice(0, limit);
  const fails = (id: number) => {
    if (bad(id)) throw new Error(`${id} cannot be done`);
  };
  const endBy = <Result>(_id: number, _kept: number | undefined, write: () => Promise<Result>) => write();
  const deps = {
    store: {
      deleteOldExports: async () => undefined,
      waitingExports: async (after: number) => page(after, 20).map((id) => ({ id, client_id: id })),
      finishExport: async (id: number) => {
        fails(id);
        done.push(id);
      },
    },
    personalData: () => [],
    accounts: {
      sessions: { endBy },
      states: { freezeOf: () => undefined },
      clients: {
        clientById: async () => ({ frozen_until: null }),
        dueDeletions: async (_now: number, after: number) => page(after, 100),
        erase: async (id: number) => {
          fails(id);
          done.push(id);
          return true;
        },
      },
    },
    keys: { endBy },
    audit: { record: async () => undefined },
    encryption: { encrypt: () => '' },
    hasFunds: (id: number) => id <= 150,
    logger: createLogger('silent'),
    clock: Date,
  } as unknown as PrivacyDeps;
  return { privacy: createPrivacy(deps), done };
}

it('deletes what is due behind a page of accounts that have funds and one that fails', async () => {
  const { privacy, done } = world({ due: Array.from({ length: 160 }, (_, at) => at + 1), bad: (id) => id === 153 });
  await privacy.deleteDue();
  expect(done).toEqual([151, 152, 154, 155, 156, 157, 158, 159, 160]);
});

it('gathers exports behind a page of those that fail', async () => {
  const { privacy, done } = world({ due: Array.from({ length: 45 }, (_, at) => at + 1), bad: (id) => id <= 42 });
  await privacy.gatherWaiting();
  expect(done).toEqual([43, 44, 45]);
});
