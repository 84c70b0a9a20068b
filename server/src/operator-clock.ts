/** What the operator command does about clocks: it accepts one, shows times of the future, and goes on from now after one that was ahead. */
import { ConfigError } from './config.ts';
import { createClockStore } from './exchange/engine/service.ts';
import { COMMAND } from './identity/operators/service.ts';
import type { Audit } from './operator/audit/service.ts';
import type { Database } from './platform/database.ts';
import { correctTimesAhead, type FoundAhead, findTimesAhead } from './platform/times-ahead.ts';
import { timesAhead } from './times-ahead.ts';

export interface ClockActDeps {
  readonly database: Database;
  readonly audit: Pick<Audit, 'record'>;
  readonly clock: { now(): number };
  readonly isServed: boolean;
}

const linesOf = (found: readonly FoundAhead[]) => found.map(({ name, count }) => `  ${count}  ${name}`);

export async function acceptClock({ database, audit, isServed }: ClockActDeps): Promise<string> {
  if (!isServed) return 'No server runs here. The next start takes the clock of the machine as it is.';
  await createClockStore(database).accept();
  await audit.record({ act: 'accept-clock', ...COMMAND });
  return 'The running server takes the clock of its machine within two seconds, if it holds its time.';
}

export async function listTimesAhead({ database, clock }: ClockActDeps): Promise<string> {
  const now = clock.now();
  const found = await findTimesAhead(database, timesAhead, now);
  const end = await createClockStore(database).journalEnd();
  const isAhead = end !== undefined && end.time > now;
  const journal = isAhead ? [`The journal ends at ${new Date(end.time).toISOString()}, ahead of this clock.`] : [];
  if (found.length === 0) return [...journal, 'No table has times of the future that matter.'].join('\n');
  return [...journal, 'Times of the future:', ...linesOf(found)].join('\n');
}

const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10);

/** @param today as the operator knows it, so that a clock which is behind is not believed @throws while a server runs */
export async function setClockBack({ database, audit, clock, isServed }: ClockActDeps, today: string): Promise<string> {
  // Its memory has these times too.
  if (isServed) throw new ConfigError('Stop the server first.');
  const now = clock.now();
  if (today !== dayOf(now))
    throw new ConfigError(
      `Add today's date (UTC): npm run operator -- set-clock-back 2026-12-31. The clock says ${dayOf(now)}; set it right first.`,
    );
  const found = await findTimesAhead(database, timesAhead, now);
  const end = await createClockStore(database).journalEnd();
  if (found.length === 0 && (end === undefined || end.time <= now)) return 'Nothing is ahead of the clock.';
  const detail = { now, corrected: Object.fromEntries(found.map(({ name, count }) => [name, count])) };
  await audit.record({ act: 'set-clock-back', detail, ...COMMAND });
  const corrections = [createClockStore(database).settingBack(), ...correctTimesAhead(timesAhead, now)];
  await database.transaction(corrections);
  return [
    `The next start goes on from the clock, now ${new Date(now).toISOString()}. What happened keeps its time.`,
    ...(found.length === 0 ? [] : ['Put right:', ...linesOf(found)]),
  ].join('\n');
}
