/**
 * Sign-ins with argon2id at OWASP's recommended cost: how many a second and how long each takes while 50 people sign in
 * at once, and what that does to orders: their p99 beside the sign-ins over their p99 in the same run without.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { applyLoad } from '../durable/apply-load.ts';
import type { LoadResult } from '../durable/load-process.ts';
import { orderRequests } from '../durable/orders.ts';
import { median } from '../statistics.ts';

const PEOPLE = 50;
const TRADERS = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MEASURE_MS = Number(process.env.BENCH_MEASURE_MS ?? 5000);
const WARM_UP_MS = 1500;
/** What `signUp` gives every trader. */
const PASSWORD = 'a-long-password';

const load = (port: number, requests: string[][]): Promise<LoadResult> =>
  applyLoad({ port, requests, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS });

function signInRequest(username: string): string {
  const body = JSON.stringify({ username, password: PASSWORD });
  const head = ['POST /api/v3/login HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json'];
  return [...head, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

async function run(): Promise<void> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
  const server = await startServerProcess({ DATA_DIR });
  const port = Number(new URL(server.url).port);
  const runs: { quiet: LoadResult; busy: LoadResult; signIns: LoadResult }[] = [];
  try {
    const names = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.test`);
    const tokens: string[] = [];
    for (const name of names) tokens.push(await signUp(server.url, name));
    const orders = orderRequests(tokens.slice(0, TRADERS), 200);
    const entries = names.map((name) => [signInRequest(name)]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const quiet = await load(port, orders);
      const [busy, signIns] = await Promise.all([load(port, orders), load(port, entries)]);
      runs.push({ quiet, busy, signIns });
    }
  } finally {
    await server.stop();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
  const of = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick));
  const refused = runs.reduce((sum, { busy, signIns }) => sum + busy.refused + signIns.refused, 0);
  process.stdout.write(
    [
      `sign-ins, ${PEOPLE} at once   ${of(({ signIns }) => signIns.answered / signIns.seconds).toFixed(1)}/s  p50 ${of(({ signIns }) => signIns.p50Ms).toFixed(0)} ms  p99 ${of(({ signIns }) => signIns.p99Ms).toFixed(0)} ms`,
      `orders, quiet          p99 ${of(({ quiet }) => quiet.p99Ms).toFixed(1)} ms, ${of(({ quiet }) => quiet.answered / quiet.seconds).toFixed(0)}/s`,
      `orders, beside them    p99 ${of(({ busy }) => busy.p99Ms).toFixed(1)} ms, ${of(({ busy }) => busy.answered / busy.seconds).toFixed(0)}/s`,
      `ratio of p99           ${of(({ busy, quiet }) => busy.p99Ms / quiet.p99Ms).toFixed(2)}, refused ${refused}`,
      '',
    ].join('\n'),
  );
}

await run();
