/** The journal's rows: commands with their keys, as JSON that core's codec wrote, and the digest of what they led to. */
import type { Json } from '@cambist/core/commands/define-command.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import { decodeCommand, encodeCommand } from '@cambist/core/exchange/command-codec.ts';
import { NEWEST_RULES } from '@cambist/core/terms/rules.ts';
import { decodeFirstVersion } from './first-journal.ts';

/** The rules under which a row is replayed. A change of what a command leads to is a new version, and the core keeps the older one. */
export const JOURNAL_VERSION = NEWEST_RULES;

/** Of the state in a snapshot. Newer rules go on from the state that older ones made; a new version is a state that those lack. */
export const SNAPSHOT_VERSION = 2;

/** Who sent a command under which idempotency key, and what the command said; absent for the exchange's own. */
export interface CommandKey {
  /** Client. */
  readonly owner: number;
  readonly key: string;
  readonly fingerprint: string;
}

export interface JournalEntry {
  readonly command: Command;
  readonly key: CommandKey | undefined;
}

export interface JournalRow {
  readonly batch: number;
  readonly time: number;
  readonly version: number;
  readonly commands: string;
  /** Null in rows of the first version. */
  readonly digest: string | null;
}

export function encodeEntries(entries: readonly JournalEntry[]): string {
  const rows = entries.map(({ command, key }) =>
    key === undefined ? [encodeCommand(command)] : [encodeCommand(command), key.key, key.fingerprint, key.owner],
  );
  return JSON.stringify(rows);
}

/** @throws when the row is of a version that this one does not know */
export function decodeEntries({ version, commands }: Pick<JournalRow, 'version' | 'commands'>): JournalEntry[] {
  if (version > JOURNAL_VERSION) throw new Error(`The journal is of version ${version}, which this one does not know`);
  const decode = version === 1 ? decodeFirstVersion : decodeCommand;
  const rows = JSON.parse(commands) as [readonly Json[], string?, string?, number?][];
  return rows.map(([tuple, key, fingerprint = '', client]) => {
    const command = decode(tuple);
    // The first version kept keys for commands of an owner alone.
    const owner = client ?? ('owner' in command ? command.owner : 0);
    return { command, key: key === undefined ? undefined : { owner, key, fingerprint } };
  });
}
