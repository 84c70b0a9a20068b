/** Whether the disk of the data folder fills: told while there is time to make room, as without any the exchange stands still. */

export interface Room {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface DiskWatchDeps {
  /** What the folder names in alarms. */
  readonly directory: string;
  readonly room: () => Promise<Room>;
  readonly alarms: { raise(kind: string, detail: string, now: number): Promise<unknown> };
  readonly clock: { now(): number };
}

const GIB = 2 ** 30;
const HOUR_MS = 3_600_000;
const LEAST_BYTES = 2 * GIB;
/** Of a disk that is small as a whole. */
const LEAST_SHARE = 0.1;
/** What would be used up sooner is told of. */
const TOO_SOON_MS = 24 * HOUR_MS;
const KEPT_MS = 6 * HOUR_MS;
/** A database writes much in its first hour, and then overwrites it. */
const KNOWN_FROM_MS = 3 * HOUR_MS;
const NOTED_EVERY_MS = HOUR_MS / 6;
/** One alarm as it begins, another at each half of what was left, and none of a disk that goes up and down. */
const [AGAIN_AT, OVER_AT] = [0.5, 1.5];

const gib = (bytes: number) => (bytes / GIB).toFixed(1);
const hours = (ms: number) => Math.round(ms / HOUR_MS);

interface Noted {
  readonly at: number;
  readonly freeBytes: number;
}

interface Pace {
  readonly overMs: number;
  readonly lastsMs: number;
}

/** @param noted oldest first @returns undefined where too little is known, or nothing is used up */
function paceOf(noted: readonly Noted[], { at, freeBytes }: Noted): Pace | undefined {
  const [oldest] = noted;
  if (oldest === undefined || at - oldest.at < KNOWN_FROM_MS || oldest.freeBytes <= freeBytes) return undefined;
  const overMs = at - oldest.at;
  return { overMs, lastsMs: (freeBytes * overMs) / (oldest.freeBytes - freeBytes) };
}

export function createDiskWatch({ directory, room, alarms, clock }: DiskWatchDeps) {
  let noted: readonly Noted[] = [];
  let newest: Room | undefined;
  let toldBytes: number | undefined;

  function note(now: Noted): void {
    // A clock that was set back begins anew.
    const kept = noted.filter(({ at }) => at <= now.at && now.at - at <= KEPT_MS);
    noted = now.at - (kept.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= NOTED_EVERY_MS ? [...kept, now] : kept;
  }

  /** A job. */
  async function look(): Promise<void> {
    newest = await room();
    const { freeBytes, totalBytes } = newest;
    const now = { at: clock.now(), freeBytes };
    const pace = paceOf(noted, now);
    note(now);
    if (toldBytes !== undefined && freeBytes > toldBytes * OVER_AT) toldBytes = undefined;
    const isLow = freeBytes < Math.min(LEAST_BYTES, totalBytes * LEAST_SHARE);
    const isSoon = pace !== undefined && pace.lastsMs < TOO_SOON_MS;
    if (!(isLow || isSoon) || (toldBytes !== undefined && freeBytes > toldBytes * AGAIN_AT)) return;
    const left = `${gib(freeBytes)} of ${gib(totalBytes)} GiB are free below ${directory}`;
    const lasts = pace
      ? `; used as in the last ${hours(pace.overMs)} hours, they last for ${hours(pace.lastsMs)} hours`
      : '';
    await alarms.raise('disk-fills', left + lasts, now.at);
    toldBytes = freeBytes;
  }

  return { look, room: () => newest };
}
