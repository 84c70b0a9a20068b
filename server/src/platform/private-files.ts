/** The data folder holds password hashes and keys: it is its owner's alone, also where an older version left it open. */
import { chmodSync, type Dirent, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** What is ours in the data folder; whatever else an operator keeps there is not touched. */
const OURS =
  /^(pglite|snapshots|liabilities|development-chains|development-seed|development-signed\.jsonl|secrets\.key|lock|lock-journal|holder\.json)$/;

/** A volume may belong to another user, who gave this one the right to write: it is used, and said. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    process.emitWarning(`${path} belongs to another user: who may read it is not ours to say`);
  }
}

/** Makes the folder if it is not there, for the owner alone. */
export function makePrivateFolder(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: FOLDER_MODE });
  restrict(directory, FOLDER_MODE);
}

function restrictEntry(path: string, entry: Dirent): void {
  // A link may lead anywhere, and has no mode of its own.
  if (entry.isSymbolicLink()) return;
  restrict(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE);
  if (entry.isDirectory()) restrictContents(path, () => true);
}

function restrictContents(directory: string, isOurs: (name: string) => boolean): void {
  const entries = readdirSync(directory, { withFileTypes: true });
  for (const entry of entries) if (isOurs(entry.name)) restrictEntry(join(directory, entry.name), entry);
}

/** Takes from others what an older version gave them. Call it while nothing else writes there. */
export function restrictDataFiles(directory: string): void {
  restrictContents(directory, (name) => OURS.test(name));
}
