/** The output of `npm run conformance`, on the Node that reads TypeScript. */
import { join } from 'node:path';
import { countAreas, faultsOf, readConformance } from './requirements.ts';

const conformance = readConformance(join(import.meta.dirname, '..'));
const wanted = new Set(process.argv.slice(2));
const column = (lines, name) => `${String(lines.length).padStart(4)} ${name}`;

for (const { area, cited, argued, open } of countAreas(conformance)) {
  const mark = conformance.complete.includes(area) ? '  complete' : '';
  console.log(
    `${area.padEnd(20)} ${column(cited, 'cited')} ${column(argued, 'argued')} ${column(open, 'open')}${mark}`,
  );
  if (wanted.has(area) || wanted.has(area.slice(2))) {
    for (const { id, text } of open) console.log(`    ${id}  ${text}`);
  }
}
const counts = countAreas(conformance);
const sum = (state) => counts.reduce((total, count) => total + count[state].length, 0);
console.log(
  `${'all'.padEnd(20)} ${['cited', 'argued', 'open'].map((state) => `${String(sum(state)).padStart(4)} ${state}`).join(' ')}`,
);

const faults = faultsOf(conformance);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
