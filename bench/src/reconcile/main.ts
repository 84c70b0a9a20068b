/**
 * Lists while the reconciler runs: the 99th percentile of a client's open orders over HTTP on a PGlite with a million
 * open orders, with the reconciler at rest and with it going round without a pause. In turn, `BENCH_ROUNDS` times each,
 * every time in a new process; medians.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '@cambist/server/platform/pglite.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { fill } from '../start/fill.ts';
import { median } from '../statistics.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const CONNECTIONS = 4;
const REST_SECONDS = { resting: '100000', running: '1' } as const;

/** Times of answers in ms, by readers who each ask again once they are answered. */
async function readLists(url: string, token: string): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  const read = async () => {
    while (performance.now() < end) {
      const asked = performance.now();
      const answer = await fetch(`${url}/api/v3/trades/open-orders`, { headers: { authorization: `Bearer ${token}` } });
      if (answer.status !== 200) throw new Error(`A list was answered ${answer.status}`);
      await answer.arrayBuffer();
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, read));
  return times;
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-reconcile-'));
const environment = { DATA_DIR: directory, LOG_LEVEL: 'error' };
const figures = { resting: [] as number[], running: [] as number[] };
try {
  const first = await startServerProcess(environment);
  const token = await signUp(first.url, 'reader@example.test');
  await first.stop();
  const database = await openPglite(directory);
  await fill(database, ORDERS);
  await database.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ['resting', 'running'] as const) {
      const server = await startServerProcess({ ...environment, RECONCILE_SECONDS: REST_SECONDS[name] });
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const times = (await readLists(server.url, token)).sort((left, right) => left - right);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      figures[name].push(p99);
      const alarm = server.output().includes('ALARM') ? ', ALARM' : '';
      process.stdout.write(
        `${name}: ${times.length} answers, median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${alarm}\n`,
      );
      await server.stop();
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
const [resting, running] = [median(figures.resting), median(figures.running)];
process.stdout.write(
  `${ORDERS.toLocaleString('en')} open orders: p99 ${resting.toFixed(1)} ms, with the reconciler ${running.toFixed(1)} ms, ` +
    `ratio ${(running / resting).toFixed(2)} (goal: at most 1.5)\n`,
);
