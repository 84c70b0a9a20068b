/**
 * One process for a data folder. SQLite's exclusive lock on a file in it is a lock of the kernel: taken in one step,
 * seen by every process that sees the file, in whatever container, and gone with its process however that ends. Who
 * holds it is written beside: any reader that closed the locked file itself would give the lock up (POSIX, `fcntl`).
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Processes that start together get out of each other's way within this time; a holder keeps it for good. */
const PATIENCE_MS = 2000;
const SQLITE_BUSY = 5;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Kept from the garbage collector: a handle that it closed would give the lock up. */
const held = new Set<DatabaseSync>();

export class DirectoryHeld extends Error {
  override readonly name = 'DirectoryHeld';
}

/** Replaced whole: a reader sees the old holder or the new one, never half of it. */
function writeHolder(path: string): void {
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  renameSync(draft, path);
}

function describeHolder(path: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return ` (process ${pid} on ${host}, since ${since})`;
  } catch {
    // The holder has the lock and has not written its name yet.
    return '';
  }
}

/**
 * @returns how to give the directory back
 * @throws DirectoryHeld when another process, or this one, holds it; the message names the holder
 */
export function lockDirectory(directory: string): () => void {
  const holder = join(directory, 'holder.json');
  const lock = new DatabaseSync(join(directory, 'lock'), { timeout: PATIENCE_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    // The low byte is the error; what is above it says more.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
    throw new DirectoryHeld(
      `${directory} is in use by another Cambist${describeHolder(holder)}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  held.add(lock);
  writeHolder(holder);
  return () => {
    if (!held.delete(lock)) return;
    rmSync(holder, { force: true });
    lock.close();
  };
}
