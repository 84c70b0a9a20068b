import { expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { OwnerQueue } from './owner-queue.ts';
import { Processing } from './processing.ts';

it('an amount that is held for no withdrawal is an alarm, once, and is left as it is', async () => {
  const alarms: string[] = [];
  const unasked = () => {
    throw new Error('Nothing is to be done');
  };
  const processing = new Processing({
    store: { find: unasked, byIds: async () => [], openAfter: async () => [] },
    stages: { move: unasked },
    ledger: { held: async () => [{ transfer: 5, withdrawal: 9 }], end: unasked },
    payouts: undefined,
    notices: { of: () => [] },
    queue: new OwnerQueue(),
    unrestricted: unasked,
    withoutDebt: unasked,
    isErased: unasked,
    isFraudulent: unasked,
    receiving: unasked,
    paymentOf: unasked,
    onChange: unasked,
    alarm: async (kind, detail) => void alarms.push(`${kind}: ${detail}`),
    clock: { now: () => 0 },
    logger: createLogger('silent'),
  });
  await processing.run();
  await processing.run();
  expect(alarms).toEqual(['hold-without-withdrawal: Transfer 5 holds an amount for withdrawal 9, which has no row']);
});
