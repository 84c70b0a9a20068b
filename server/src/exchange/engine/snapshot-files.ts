/** The folder of snapshots: a file is there whole under its name, or not at all. */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../platform/private-files.ts';

const SNAPSHOT = '.snapshot';
const PARTIAL = '.partial';
const DAY_MS = 86_400_000;

export const snapshotName = (batch: number, stateHash: string): string => `${batch}-${stateHash}${SNAPSHOT}`;

/** On the disk when it returns: a row may name it from then on. */
export function writeSnapshotFile(directory: string, name: string, bytes: Uint8Array): void {
  makePrivateFolder(directory);
  const partial = join(directory, `${name}${PARTIAL}`);
  const file = openSync(partial, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, join(directory, name));
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** @throws when it is not there */
export function readSnapshotFile(directory: string, name: string): Uint8Array {
  return readFileSync(join(directory, name));
}

/**
 * Removes what was forgotten, and what is a day old and no row names: what a process that died has left, or a file that
 * was refused. It waits a day because another database may have the same folder.
 */
export function removeSnapshotFiles(directory: string, kept: readonly string[], forgotten: readonly string[]): void {
  for (const name of readdirSync(directory)) {
    if (kept.includes(name) || !(name.endsWith(SNAPSHOT) || name.endsWith(PARTIAL))) continue;
    const path = join(directory, name);
    if (forgotten.includes(name) || Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}
