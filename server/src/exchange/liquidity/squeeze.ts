/** A run of a simulated price: some percent within a minute, of which part comes back more slowly. */
import type { Random } from '../market-data/service.ts';

export interface Squeeze {
  /** Ms since 1970. */
  readonly startsAt: number;
  /** When it has run all the way, and when what comes back has come back. */
  readonly turnsAt: number;
  readonly endsAt: number;
  /** Of the logarithm of the price: up where it is above zero. */
  readonly size: number;
  /** Which part of it comes back. */
  readonly returns: number;
}

const HOUR_MS = 3_600_000;
/** After a start and after each squeeze there is none for so long; then the next one comes at any time. */
const CALM_MS = HOUR_MS;
const MEAN_WAIT_MS = 11 * HOUR_MS;
const SIZE = { least: 0.02, most: 0.05 };
const RUN_MS = { least: 30_000, most: 60_000 };
const RETURN_MS = { least: 180_000, most: 600_000 };
const RETURNS = { least: 0.3, most: 0.7 };

export const NO_SQUEEZE: Squeeze = {
  ...{ startsAt: Number.POSITIVE_INFINITY, turnsAt: Number.POSITIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY },
  ...{ size: 0, returns: 0 },
};

const within = (random: Random, { least, most }: { readonly least: number; readonly most: number }): number =>
  least + (most - least) * random.uniform();

/** The next one after a time: each takes the same count of random numbers. */
export function drawSqueeze(random: Random, now: number): Squeeze {
  const startsAt = now + CALM_MS - Math.log(1 - random.uniform()) * MEAN_WAIT_MS;
  const turnsAt = startsAt + within(random, RUN_MS);
  const endsAt = turnsAt + within(random, RETURN_MS);
  const direction = random.uniform() < 0.5 ? -1 : 1;
  return { startsAt, turnsAt, endsAt, size: direction * within(random, SIZE), returns: within(random, RETURNS) };
}

/** What it adds to the logarithm of the price at a time. */
export function squeezeAt({ startsAt, turnsAt, endsAt, size, returns }: Squeeze, now: number): number {
  if (now <= startsAt) return 0;
  if (now < turnsAt) return (size * (now - startsAt)) / (turnsAt - startsAt);
  const back = Math.min(1, (now - turnsAt) / (endsAt - turnsAt));
  return size * (1 - returns * back);
}

/** Where it drives the price at a time: 1 or −1 while it runs, else 0. */
export const runOf = ({ startsAt, turnsAt, size }: Squeeze, now: number): number =>
  now > startsAt && now < turnsAt ? Math.sign(size) : 0;
