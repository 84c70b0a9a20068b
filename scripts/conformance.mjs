// npm run conformance: which lines of docs/spec/requirements.jsonl no test title and no argument in
// docs/conformance.md cites, by area. `npm run conformance -- calls udf-feed` lists the lines of those areas.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(new URL('.', import.meta.url).pathname, '..');
// `T-udf-feed-30` or, for a run of lines that one test checks, `T-udf-feed-30..47`.
const ID = /\b([AT]-[a-z0-9-]+-)(\d{2,3})(?:\.\.(\d{2,3}))?\b/g;

function testFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    // Tables of cases stand beside the tests whose titles they fill.
    return /\.(test|cases)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const requirements = readFileSync(join(root, 'docs/spec/requirements.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const cited = new Set();
for (const file of [...testFiles(root), join(root, 'docs/conformance.md')]) {
  for (const [, area, first, last = first] of readFileSync(file, 'utf8').matchAll(ID)) {
    for (let number = Number(first); number <= Number(last); number += 1) {
      cited.add(area + String(number).padStart(first.length, '0'));
    }
  }
}

const wanted = new Set(process.argv.slice(2));
const areas = new Map();
for (const line of requirements) {
  const name = `${line.id[0]} ${line.area}`;
  areas.set(name, [...(areas.get(name) ?? []), line]);
}
for (const [name, lines] of [...areas].sort(([left], [right]) => left.localeCompare(right))) {
  const open = lines.filter(({ id }) => !cited.has(id));
  console.log(
    `${name.padEnd(24)} ${String(lines.length - open.length).padStart(4)} of ${String(lines.length).padStart(4)} cited`,
  );
  if (wanted.has(name.slice(2))) for (const { id, text } of open) console.log(`    ${id}  ${text}`);
}
const unknown = [...cited].filter((id) => !requirements.some((line) => line.id === id));
if (unknown.length > 0) {
  console.error(`Cited, but not in the requirements: ${unknown.join(', ')}`);
  process.exit(1);
}
