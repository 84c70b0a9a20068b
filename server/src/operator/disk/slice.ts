/** The disk as a slice: an alarm before it is full, and what monitoring can follow. */
import { statfs } from 'node:fs/promises';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createDiskWatch, type DiskWatchDeps, type Room } from './service.ts';
import { databaseBytes } from './store.ts';

const EVERY_MS = 60_000;
/** The database looks at each of its files. */
const MEASURED_EVERY_MS = 600_000;

/** What a process without privileges may still use. */
async function roomOf(directory: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** None of what was not read yet. */
const figure = (of: string, bytes: number | undefined): [string, number][] =>
  bytes === undefined ? [] : [[of, bytes]];

export function createDiskSlice(
  { config, database, clock }: Platform,
  { alarms }: Pick<DiskWatchDeps, 'alarms'>,
): Slice {
  const directory = config.DATA_DIR;
  const watch = createDiskWatch({ directory, room: () => roomOf(directory), alarms, clock });
  let measured: number | undefined;
  const measure = async () => {
    measured = await databaseBytes(database);
  };
  return {
    jobs: [
      { name: 'look at the disk', everyMs: EVERY_MS, atStart: true, run: watch.look },
      { name: 'measure the database', everyMs: MEASURED_EVERY_MS, atStart: true, run: measure },
    ],
    figures: [
      {
        name: 'cambist_disk_free_bytes',
        help: 'Room on the disk of the data folder',
        label: 'folder',
        read: () => figure('DATA_DIR', watch.room()?.freeBytes),
      },
      {
        name: 'cambist_database_bytes',
        help: 'Size of the database, measured every ten minutes',
        label: 'database',
        read: () => figure(database.kind, measured),
      },
    ],
  };
}
