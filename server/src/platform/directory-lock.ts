/**
 * One process for a directory. The lock is a listening local socket: it ends with its process however that ends, so
 * kill -9 leaves nothing that has to be cleared by hand and no process number that a stranger may have taken over.
 */
import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Socket paths are short by the system's rule, so the directory's name goes in as a hash. */
function socketPath(directory: string): string {
  const name = `cambist-${createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 24)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

/**
 * @returns how to give the directory back
 * @throws when another process, or this one, holds it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(directory);
  if (await isHeld(path)) {
    throw new Error(`${directory} is in use by another Cambist. Stop it, or set DATA_DIR to another folder.`);
  }
  rmSync(path, { force: true });
  const server = await listen(path);
  return () => new Promise((resolve) => server.close(() => resolve()));
}
