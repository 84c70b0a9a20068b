/**
 * A long simulation of the exchange against its naive twin and the auditor:
 * `npm run simulate -w bench [seeds] [steps a seed] [first seed]`. Ends with 1 and the shortest failing replay it finds.
 */
import { TEST_MARKETS } from '@cambist/core/simulation/markets.ts';
import { describeRun, shrink, simulate } from '@cambist/core/simulation/twins.ts';

const [seeds = 200, steps = 5_000, firstSeed = 1] = process.argv.slice(2).map(Number);
let accepted = 0;
let trades = 0;
for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
  // Few owners meet themselves often; many make deeper books.
  const owners = 3 + (seed % 12);
  const run = simulate(seed, steps, owners, TEST_MARKETS);
  accepted += run.accepted;
  trades += run.trades;
  if (run.failure === undefined) continue;
  process.stdout.write(`seed ${seed} failed\n${describeRun(shrink(run.steps, TEST_MARKETS))}\n`);
  process.exit(1);
}
process.stdout.write(`${seeds * steps} commands, ${accepted} accepted, ${trades} trades: both engines agree\n`);
