// npm run bench [name …]: every benchmark, or the named ones. Each prints ratios against a reference in the same run.
import { existsSync } from 'node:fs';
import { buildWeb, install, node, run } from './workspace.mjs';

const benches = {
  engine: 'bench/src/engine.ts',
  durable: 'bench/src/durable/main.ts',
  stream: 'bench/src/stream.ts',
  positions: 'bench/src/positions/main.ts',
  start: 'bench/src/start/main.ts',
  reconcile: 'bench/src/reconcile/main.ts',
  'sign-in': 'bench/src/sign-in/main.ts',
  terminal: 'bench/src/terminal/main.ts',
  landing: 'bench/src/landing/main.ts',
  screens: 'bench/src/screens/main.ts',
  lists: 'bench/src/lists/main.ts',
  csv: 'bench/src/csv/main.ts',
  liabilities: 'bench/src/liabilities/main.ts',
  deposits: 'bench/src/deposits/main.ts',
  watched: 'bench/src/watched/main.ts',
  'catch-up': 'bench/src/catch-up/main.ts',
};
install('everything');
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
for (const name of names) {
  const file = benches[name];
  if (!file || !existsSync(file))
    throw new Error(`There is no benchmark ${name}; there are ${Object.keys(benches).join(', ')}`);
  console.log(`\n— ${name}`);
  if (['terminal', 'landing', 'screens', 'lists'].includes(name)) await buildWeb();
  run(node, [file]);
}
