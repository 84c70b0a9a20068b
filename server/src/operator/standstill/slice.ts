/** What stands still as a slice: an alarm, and a figure for monitoring. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { createStandstillWatch, type StandstillDeps } from './service.ts';

const EVERY_MS = 60_000;

export function createStandstillSlice({ work, clock }: Platform, { alarms }: Pick<StandstillDeps, 'alarms'>): Slice {
  const { look } = createStandstillWatch({ work, alarms, clock });
  return {
    jobs: [{ name: 'look at what stands still', everyMs: EVERY_MS, run: look }],
    figures: [
      {
        name: 'cambist_standing_work_seconds',
        help: 'How long jobs and consumers that stand still have not been done',
        label: 'work',
        read: () => work.standing().map(({ kind, name, forMs }) => [`${kind} ${name}`, forMs / 1000] as const),
      },
    ],
  };
}
