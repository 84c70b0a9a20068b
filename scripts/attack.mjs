// npm run attack [file …]: the attacks of `npm test`, for as long as an attacker has patience: 200,000 requests and 100
// deaths on each database, and 1,000 deposits and withdrawals by each chain. ATTACK_SEED, ATTACK_KILLS, ATTACK_REQUESTS,
// ATTACK_PROBES, ATTACK_MOVEMENTS and ATTACK_ROUNDS choose otherwise.
import { join } from 'node:path';
import { environment, install, node, root, run } from './workspace.mjs';

install('everything');
run(
  node,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'attack',
    '--no-file-parallelism',
    ...process.argv.slice(2),
  ],
  { env: { ...environment, ATTACK: 'long' } },
);
