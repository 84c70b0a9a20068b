/**
 * How much the process may hold at once, from the number of files that the system lets it open. A database that cannot
 * open its file ends with the process, so files are kept back for it, and clients share the rest.
 */
import { OPEN_FILES } from './pglite.ts';

export interface Capacity {
  /** Connections of clients, websockets included. */
  readonly connections: number;
  /** Connections of one address, or one /64 of IPv6, that is no trusted proxy. */
  readonly connectionsPerAddress: number;
  /** Files of the web client that are being sent. */
  readonly servedFiles: number;
}

/** For the database's files, and for the process's own: libraries, locks, logs, connections to a database server. */
const KEPT_BACK = OPEN_FILES + 150;
/** Below this it could serve no ten readers with a page and a stream each. */
const SMALLEST = KEPT_BACK + 50;
const SHARE_LIMIT = 512;
const PER_ADDRESS = { least: 16, most: 1000 };
/** Where the system names no limit. */
const UNLIMITED = 20_000;

/** @returns files that this process may have open; undefined where there is no limit, or none that can be known */
export function openFileLimit(): number | undefined {
  // Without it a report looks up the names of whoever is connected.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isSafeInteger(soft) ? soft : undefined;
}

/** @returns undefined when the limit is too small to serve anyone */
export function capacityFor(limit: number = UNLIMITED): Capacity | undefined {
  if (limit < SMALLEST) return undefined;
  const free = limit - KEPT_BACK;
  // A quarter for files being sent, a quarter for requests of our own to others, as far as they need it.
  const share = Math.min(SHARE_LIMIT, Math.floor(free / 4));
  const connections = free - 2 * share;
  const { least, most } = PER_ADDRESS;
  return {
    connections,
    connectionsPerAddress: Math.max(least, Math.min(most, Math.floor(connections / 4))),
    servedFiles: share,
  };
}

export const SMALLEST_FILE_LIMIT = SMALLEST;
