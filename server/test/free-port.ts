/** Ports for servers of tests. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that Linux gives to outgoing connections (32768 to 60999): one of them could take the port of a server that is
 * down for a moment, and keep it from starting again.
 */
const [LOWEST, HIGHEST] = [20_000, 32_767];
const TRIES = 50;

/** One that nothing listens at on loopback. @throws when there seems to be none */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${LOWEST} to ${HIGHEST} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
