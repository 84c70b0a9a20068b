/** Watches the time of the engine: a clock that was set forward holds it, a clock that was set back pins it. */

import type { LabelledFigure } from '../../platform/observability.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { CLOCK_TOLERANCE_MS } from '../../platform/steady-clock.ts';
import type { AlarmStore } from '../ledger/alarm-store.ts';
import { type ClockStore, createClockStore } from './clock-store.ts';
import type { Engine } from './engine.ts';

const LOOK_MS = 1000;

export interface ClockProblem {
  readonly text: string;
  /** Whether the engine's time stands still meanwhile. */
  readonly standsStill: boolean;
}

export interface ClockWatch {
  problems(): readonly ClockProblem[];
  /** Raises alarms once for each hold and each pin, and takes what an operator has accepted. */
  look(): Promise<void>;
}

export interface ClockWatchDeps {
  readonly clock: Platform['clock'];
  readonly sequencer: { pinnedMs(): number };
  readonly store: Pick<ClockStore, 'acceptances'>;
  readonly alarms: Pick<AlarmStore, 'raise'>;
  readonly logger: Pick<Platform['logger'], 'warn'>;
}

/** `2 days`, `3 hours`, `14 s`: the largest unit that it has two of. */
export function durationText(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
  ] as const;
  const [size, name] = units.find(([unit]) => ms >= 2 * unit) ?? [1000, 's'];
  return `${Math.round(ms / size)} ${name}`;
}

export function createClockWatch({ clock, sequencer, store, alarms, logger }: ClockWatchDeps): ClockWatch {
  /** Acceptances before the hold; undefined while the time is not held. */
  let acceptedBefore: number | undefined;
  let isPinned = false;
  const pinnedMs = () => {
    const ms = sequencer.pinnedMs();
    return ms > CLOCK_TOLERANCE_MS ? ms : 0;
  };
  const heldText = (ms: number) =>
    `The clock of the machine was set forward and is ${durationText(ms)} ahead. The exchange goes on with its own time. ` +
    'Set the clock right, or, where it is right, run: npm run operator -- accept-clock';
  const pinnedText = (ms: number) =>
    `The journal is ${durationText(ms)} ahead of the clock, so the time of the exchange stands still. Where that is too ` +
    'long to wait, stop the server and run: npm run operator -- set-clock-back <today>';

  async function lookAtHold(heldMs: number | undefined): Promise<void> {
    if (heldMs === undefined) {
      acceptedBefore = undefined;
      return;
    }
    const accepted = await store.acceptances();
    if (acceptedBefore === undefined) {
      acceptedBefore = accepted;
      await alarms.raise('clock-held', heldText(heldMs), clock.now());
    } else if (accepted > acceptedBefore) {
      logger.warn({ heldMs }, 'An operator has accepted the clock of the machine');
      clock.accept?.();
      acceptedBefore = undefined;
    }
  }

  async function lookAtPin(ms: number): Promise<void> {
    if (ms > 0 && !isPinned) await alarms.raise('clock-pinned', pinnedText(ms), clock.now());
    isPinned = ms > 0;
  }

  return {
    problems() {
      const [heldMs, ms] = [clock.heldMs?.(), pinnedMs()];
      return [
        ...(heldMs === undefined ? [] : [{ text: heldText(heldMs), standsStill: false }]),
        ...(ms === 0 ? [] : [{ text: pinnedText(ms), standsStill: true }]),
      ];
    },
    async look() {
      await lookAtHold(clock.heldMs?.());
      await lookAtPin(pinnedMs());
    },
  };
}

export interface ClockSlice extends Slice {
  readonly clockProblems: ClockWatch['problems'];
}

export function createClockSlice(
  { clock, database, logger }: Platform,
  { engine, alarms }: { readonly engine: Engine; readonly alarms: ClockWatchDeps['alarms'] },
): ClockSlice {
  const store = createClockStore(database);
  const watch = createClockWatch({ clock, logger, store, alarms, sequencer: engine.sequencer });
  const figure = (name: string, help: string, read: () => number): LabelledFigure => ({
    ...{ name, help, label: 'clock' },
    read: () => [['machine', read() / 1000]],
  });
  return {
    clockProblems: watch.problems,
    jobs: [{ name: 'look at the clock', everyMs: LOOK_MS, run: watch.look }],
    figures: [
      figure(
        'cambist_clock_held_seconds',
        'How far the clock of the machine is ahead of a time that is held',
        () => clock.heldMs?.() ?? 0,
      ),
      figure('cambist_clock_pinned_seconds', 'How far the journal is ahead of the clock', engine.sequencer.pinnedMs),
    ],
  };
}
