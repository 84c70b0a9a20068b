/** The ledger of a process that may end anywhere: in memory, and outliving it. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { NotAccepted, OutcomeUnknown, type Sequencer } from '../src/exchange/engine/service.ts';
import type { Fate } from './mortal-database.ts';

/** Commands are applied in the order of the calls, and answered later, and perhaps never. */
export function mortalSequencer(exchange: Pick<Exchange, 'apply' | 'takeEvents'>, fate: Fate): Sequencer {
  return {
    async submit(submission) {
      const command = submission.kind === 'transfer' ? { ...submission, transferId: 0 } : submission;
      try {
        fate('before the ledger');
      } catch {
        throw new NotAccepted('The queue is full');
      }
      const outcome = exchange.apply(0, command as Parameters<typeof exchange.apply>[1]);
      exchange.takeEvents();
      try {
        fate('after the ledger');
      } catch {
        throw new OutcomeUnknown('The process ends');
      }
      return { outcome, id: 0, batch: 0, time: 0, order: undefined, ended: 0 };
    },
  };
}
