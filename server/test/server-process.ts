/** The real server in a process of its own, as an operator runs it, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export interface ServerProcess {
  readonly url: string;
  readonly processId: number;
  /** From spawn to the first 200 of /readyz. */
  readonly readyAfterMs: number;
  isAlive(): boolean;
  /** What it has written, the newest when that is long. */
  output(): string;
  /** SIGKILL: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
}

/** A first start makes a database, which takes a minute where several tests share the machine. */
const READY_PATIENCE_MS = 180_000;
const OUTPUT_LENGTH = 200_000;
const main = join(import.meta.dirname, '../src/main.ts');

function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

async function untilReady(url: string, child: ChildProcess, complaint: () => string): Promise<void> {
  const deadline = performance.now() + READY_PATIENCE_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${complaint()}`);
    try {
      if ((await fetch(`${url}/readyz`)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The server was not ready within ${READY_PATIENCE_MS} ms: ${complaint()}`);
}

/** @param openFiles the number of files that the process may open, as `ulimit -n` sets it */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
  openFiles?: number,
): Promise<ServerProcess> {
  const port = environment.PORT ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const command = [process.execPath, '--max-semi-space-size=64', main];
  const [file = '', ...parameters] =
    openFiles === undefined ? command : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const child = spawn(file, parameters, {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      MARKET: 'none',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_LENGTH);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  try {
    await untilReady(url, child, () => output.slice(-4000));
  } catch (problem) {
    // Nobody else can end it: the caller has no handle of a server that was not ready.
    child.kill('SIGKILL');
    throw problem;
  }
  return {
    url,
    processId: child.pid ?? 0,
    readyAfterMs: performance.now() - started,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async kill() {
      child.kill('SIGKILL');
      await exited(child);
    },
    async stop() {
      child.kill('SIGTERM');
      return exited(child);
    },
  };
}
