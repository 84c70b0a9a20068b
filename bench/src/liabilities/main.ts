/**
 * The proof of liabilities: how long a run takes for many clients who all have thirty coins (`BENCH_COINS`), beside the hashes alone that it
 * needs at least; how far orders are kept waiting by it, as the event loop of the process sees it; and how long a browser
 * takes to check one client's proofs. `BENCH_CLIENTS` makes it smaller or larger; a million needs some 10 GiB for the
 * process that makes the exchange beforehand, and 8 GiB of disk. It ends by itself.
 */
import { spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OwnLiabilities } from '@cambist/contract/liabilities.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { writeSnapshot } from '@cambist/core/exchange/snapshot.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { Liabilities } from '@cambist/server/funds/liabilities/service.ts';
import type { LiabilityStore, Run } from '@cambist/server/funds/liabilities/store.ts';
import { createEncryption } from '@cambist/server/platform/encryption.ts';
import { createLogger } from '@cambist/server/platform/logger.ts';
import { launchChromium } from '../chromium.ts';

const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 100_000);
const COINS = Number(process.env.BENCH_COINS ?? 30);
const FIRST_OWNER = 1_000;
const RULES = 1;
const CHECKS = 5;
const ACCOUNTS_AT_ONCE = 1_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function makeSnapshot(path: string): void {
  const exchange = createExchange();
  const random = new Random(7);
  for (let asset = 0; asset < COINS; asset += 1) {
    exchange.restoreAsset({ id: asset, code: `C${asset}`, scale: 8, name: `Coin ${asset}` } as never);
    let sum = 0n;
    for (let client = 0; client < CLIENTS; client += 1) {
      const amount = BigInt(random.between(1, 1_000_000_000));
      exchange.restoreBalance(accountKey(FIRST_OWNER + client, Wallet.SPOT, Bucket.AVAILABLE, asset), amount);
      sum += amount;
    }
    exchange.restoreBalance(accountKey(SystemOwner.CUSTODY, Wallet.SPOT, Bucket.AVAILABLE, asset), -sum);
  }
  writeFileSync(path, writeSnapshot(exchange, { rules: RULES, batch: 1 }).bytes);
}

/** As the accounts slice reads them; what the database takes for it is not measured. */
async function* accountPages() {
  for (let first = 0; first < CLIENTS; first += ACCOUNTS_AT_ONCE) {
    yield Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, CLIENTS - first) }, (_, at) => {
      const owner = FIRST_OWNER + first + at;
      return { owner, uid: String(10_000_000_000 + owner), email: `client-${owner}@example.test` };
    });
  }
}

/** One table in memory: what is measured is the work, not the two small statements. */
function storeInMemory(): LiabilityStore {
  const runs: Run[] = [];
  return {
    newest: async (count) => runs.slice(0, count),
    run: async (batch) => runs.find((run) => run.batch === batch),
    add: async (run) => {
      runs.unshift(run);
      return [run.batch];
    },
  };
}

/** As many hashes of a node's length as the run makes, and nothing else. */
function hashesAlone(count: number): number {
  const message = randomBytes(114);
  const started = performance.now();
  for (let index = 0; index < count; index += 1) {
    message.writeUInt32BE(index, 0);
    hash('sha256', message, 'binary');
  }
  return performance.now() - started;
}

async function checkInBrowser(told: OwnLiabilities): Promise<number[]> {
  const script = readFileSync(join(import.meta.dirname, '../../../web/public/verify-liabilities.mjs'));
  const server = createServer((request, response) => {
    const isScript = request.url?.endsWith('.mjs') === true;
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>Check</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/page`);
    return (await page.evaluate(`(async () => {
      const told = ${JSON.stringify(told)};
      const { verify } = await import('/verify-liabilities.mjs');
      const took = [];
      for (let round = 0; round < ${CHECKS}; round += 1) {
        const started = performance.now();
        await verify(told, told.identity);
        took.push(performance.now() - started);
      }
      return took;
    })()`)) as number[];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

const [, , step, path] = process.argv;
if (step === 'snapshot' && path !== undefined) {
  makeSnapshot(path);
  process.exit();
}

/** The highest that the process has had of memory while something ran, above what it had before. */
async function memoryOf<Result>(run: () => Promise<Result>): Promise<{ result: Result; highest: number }> {
  const before = process.memoryUsage().rss;
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 100);
  const result = await run();
  clearInterval(timer);
  return { result, highest: highest - before };
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-bench-liabilities-'));
try {
  const snapshot = join(directory, 'state.snapshot');
  // By a process of its own, so that its memory is not counted here.
  const made = spawnSync(process.execPath, ['--max-old-space-size=12000', import.meta.filename, 'snapshot', snapshot]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  print(`${CLIENTS} clients × ${COINS} coins; snapshot of ${(statSync(snapshot).size / 2 ** 20).toFixed(0)} MiB`);
  const liabilities = new Liabilities({
    store: storeInMemory(),
    snapshot: async () => ({ path: snapshot, rules: RULES }),
    accounts: accountPages,
    directory: join(directory, 'liabilities'),
    encryption: createEncryption(randomBytes(32)),
    clock: { now: () => Date.now() },
    reserves: {
      complete: async () => undefined,
      of: async () => new Map(),
      coldFile: async () => undefined,
      takeCold: async () => undefined,
    },
    logger: createLogger('silent'),
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const started = performance.now();
  const { result: run, highest } = await memoryOf(() => liabilities.make());
  const tookMs = performance.now() - started;
  delay.disable();
  if ('kind' in run) throw new Error('There is no run');
  const leaves = run.assets.reduce((sum, asset) => sum + asset.leaves, 0);
  // A leaf needs its own, its salt, a half of a client's split, counted twice, and a node above it.
  const hashes = leaves * 4;
  const folder = join(directory, 'liabilities', String(run.batch));
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const alone = hashesAlone(hashes);
  print(
    `run: ${seconds(tookMs)} in a thread of its own, ${leaves} leaves, ${(bytes / 2 ** 20).toFixed(0)} MiB of files; ` +
      `at most ${(highest / 2 ** 20).toFixed(0)} MiB of memory; ${hashes} hashes alone ${seconds(alone)} (${(tookMs / alone).toFixed(1)} ×); ` +
      `event loop of the process meanwhile p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );
  const asked = performance.now();
  const told = await liabilities.of(FIRST_OWNER + Math.floor(CLIENTS / 2), undefined);
  if ('kind' in told) throw new Error('There is no proof');
  const answeredMs = performance.now() - asked;
  const took = await checkInBrowser(told);
  const middle = [...took].sort((one, other) => one - other)[Math.floor(CHECKS / 2)] ?? 0;
  print(
    `one client's ${COINS} proofs: read in ${answeredMs.toFixed(0)} ms, ${(JSON.stringify(told).length / 1024).toFixed(0)} KiB, ` +
      `checked in the browser in ${middle.toFixed(0)} ms (first ${(took[0] ?? 0).toFixed(0)} ms)`,
  );
  await liabilities.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
