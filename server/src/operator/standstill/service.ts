/** Whether what comes back by itself still does. Told once: else deposits are not credited, or no mail goes out, in silence. */
import type { Standing } from '../../platform/work-report.ts';

export interface StandstillDeps {
  readonly work: { standing(): Standing[] };
  readonly alarms: {
    raise(kind: string, detail: string, now: number): Promise<unknown>;
    openAlarms(): Promise<number>;
  };
  readonly clock: { now(): number };
}

const MINUTE_MS = 60_000;
const keyOf = ({ kind, name }: Standing) => `${kind} ${name}`;

function detailOf(standing: Standing): string {
  const why = standing.cause === undefined ? 'it does not come to its end' : `it fails (${standing.cause})`;
  return `The ${keyOf(standing)} has not been done for ${Math.floor(standing.forMs / MINUTE_MS)} minutes: ${why}`;
}

export function createStandstillWatch({ work, alarms, clock }: StandstillDeps) {
  let before = new Set<string>();
  const told = new Set<string>();
  return {
    async look(): Promise<void> {
      const seen = before;
      before = new Set();
      // While the database is away all stands still. Once it is back there is time until the next look.
      await alarms.openAlarms();
      const standing = work.standing();
      before = new Set(standing.map(keyOf));
      for (const key of told) if (!before.has(key)) told.delete(key);
      for (const one of standing) {
        const key = keyOf(one);
        if (!seen.has(key) || told.has(key)) continue;
        await alarms.raise('work-stands-still', detailOf(one), clock.now());
        told.add(key);
      }
    },
  };
}
