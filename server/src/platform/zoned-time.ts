/** Times in a named zone of the IANA database, such as Europe/Berlin. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

export class ZonedTime {
  readonly #format: Intl.DateTimeFormat;

  /** @param zone one that there is */
  constructor(zone: string) {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    this.#format = new Intl.DateTimeFormat('en', { timeZone: zone, ...digits, ...clock });
  }

  /** `2026-03-01 09:30:00 UTC`, or with the zone's offset at that time, as `+0100`. */
  text(ms: number): string {
    const offset = this.#offset(ms);
    const minutes = Math.abs(offset) / MINUTE_MS;
    const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
    const local = new Date(ms + offset).toISOString().slice(0, 19).replace('T', ' ');
    return `${local} ${offset === 0 ? 'UTC' : zone}`;
  }

  /** When a year begins there, ms. */
  yearStart(year: number): number {
    const wanted = Date.UTC(year, 0, 1);
    // The offset of the day before may be another one.
    const near = wanted - this.#offset(wanted);
    const start = wanted - this.#offset(near);
    return Math.abs(start - near) < DAY_MS ? start : near;
  }

  /** How far the zone is ahead of UTC at a time, ms. */
  #offset(ms: number): number {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return local - Math.floor(ms / 1000) * 1000;
  }
}
