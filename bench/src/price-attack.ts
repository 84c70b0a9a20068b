/**
 * A long run of the attacker on prices (`core/src/simulation/price-attacker.ts`):
 * `npm run price-attack -w bench [steps] [first seed]`. Ends with 1 where an attack has won more than its bound.
 */
import { simulatePriceAttacks } from '@cambist/core/simulation/price-attacker.ts';
import { NEWEST_RULES } from '@cambist/core/terms/rules.ts';

const [steps = 10_000_000, firstSeed = 1] = process.argv.slice(2).map(Number);
/** Half of them with a price from outside, each seed with a part. */
const RUNS = 20;
let beyond = 0;
for (const isFed of [true, false]) {
  const total = { attacks: 0, pauses: 0, triggered: 0, mostWon: 0n };
  for (let run = 0; run < RUNS; run += 1) {
    const terms = { seed: firstSeed + run, steps: steps / (2 * RUNS), rules: NEWEST_RULES, isFed };
    const found = simulatePriceAttacks(terms);
    for (const name of ['attacks', 'pauses', 'triggered'] as const) total[name] += found[name];
    if (found.mostWon > total.mostWon) total.mostWon = found.mostWon;
    beyond += found.beyond;
  }
  const won = `the most that one has won is ${total.mostWon / 1_000_000n} USDT`;
  const facts = `${total.attacks} attacks, ${total.triggered} stops triggered, ${total.pauses} pauses; ${won}`;
  process.stdout.write(`${isFed ? 'with' : 'without'} a price from outside: ${facts}\n`);
}
process.stdout.write(`${steps} steps: ${beyond} attacks have won more than their bound\n`);
if (beyond > 0) process.exit(1);
