/**
 * The time of the server. It follows the wall clock, but not a step forward: NTP, a person or a virtual machine that sets the clock
 * ahead would let sessions, holds and orders run out at once. After such a step the time goes on at the pace of the monotonic clock
 * until the wall clock is back or an operator accepts it. A step back is followed.
 */
import { uptime } from 'node:os';

/** A clock that was ahead has written the journal, and the one of now would stand still until it is there. */
export class ClockBehindJournal extends Error {
  override readonly name = 'ClockBehindJournal';

  constructor(journal: number, now: number) {
    const text = (time: number) => new Date(time).toISOString();
    super(
      [
        `The journal ends at ${text(journal)}, and the clock of this machine says ${text(now)}.`,
        'Is the clock behind, set it right and start again.',
        'Is it right, then the one that wrote the journal was ahead. See what else has times of the future, and go on from now:',
        '  npm run operator -- times-ahead',
        '  npm run operator -- set-clock-back <today, 2026-12-31>',
      ].join('\n'),
    );
  }
}

export interface SteadyClock {
  /** Ms since 1970. */
  now(): number;
  /** How far the wall clock is ahead of a time that is held, ms; undefined while the time is that of the wall clock. */
  heldMs(): number | undefined;
  /** Believes the wall clock as it is now. */
  accept(): void;
}

export interface ClockSources {
  /** Ms since 1970. */
  readonly wall: () => number;
  /** Ms, never set; stands still while the machine sleeps. */
  readonly monotonic: () => number;
  /** Ms since the machine was started, its sleep included. */
  readonly uptime: () => number;
}

/** A step forward of more is not followed. A clock that is slewed gains 0.5 ms a second. */
export const CLOCK_TOLERANCE_MS = 2_000;

const machine: ClockSources = {
  wall: Date.now,
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
};

export function createSteadyClock({ wall, monotonic, uptime: up }: ClockSources = machine): SteadyClock {
  /** Of the time that is believed: how far it is ahead of the monotonic clock. */
  let offset = wall() - monotonic();
  let slept = up() - monotonic();
  let isHeld = false;

  /** A machine that has slept was away, and its wall clock is right. @returns ms since this was last asked */
  function sleptMs(): number {
    const before = slept;
    slept = up() - monotonic();
    return Math.max(0, slept - before);
  }

  function follow(): number {
    offset = wall() - monotonic();
    isHeld = false;
    return Math.floor(monotonic() + offset);
  }

  function now(): number {
    const isNear = () => wall() - monotonic() - offset <= CLOCK_TOLERANCE_MS;
    if (isNear()) return follow();
    offset += sleptMs();
    if (isNear()) return follow();
    isHeld = true;
    return Math.floor(monotonic() + offset);
  }

  return {
    now,
    heldMs() {
      const time = now();
      return isHeld ? wall() - time : undefined;
    },
    accept: () => void follow(),
  };
}
