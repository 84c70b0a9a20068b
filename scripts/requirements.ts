/** Which requirements a test title cites, which docs/conformance.md argues, and which are open. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface Requirement {
  readonly id: string;
  /** The document's letter and the area, such as `T transfer`. */
  readonly area: string;
  readonly text: string;
}

export interface Argument {
  readonly ids: readonly string[];
  readonly reason: string;
}

export interface Conformance {
  readonly requirements: readonly Requirement[];
  readonly cited: ReadonlySet<string>;
  readonly argued: readonly Argument[];
  /** Areas that docs/conformance.md marks as complete. */
  readonly complete: readonly string[];
}

export interface AreaCount {
  readonly area: string;
  readonly cited: readonly Requirement[];
  readonly argued: readonly Requirement[];
  readonly open: readonly Requirement[];
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** `T-udf-feed-30` or, for a run of lines that one test checks, `T-udf-feed-30..47`. */
const ID = /\b([AT]-[a-z0-9-]+-)(\d{2,3})(?:\.\.(\d{2,3}))?\b/g;
/** A cell of a table of cases that holds nothing but ids. */
const ONLY_IDS = /^(?:[[(]?[AT]-[a-z0-9-]+-\d{2,3}(?:\.\.\d{2,3})?[\])]?[\s,]*)+$/;
const SUITE = new Set(['it', 'test', 'describe']);
/** What is missing is open; an argument says what is done instead. */
const POSTPONED = /\bnot (?:yet )?(?:built|open)\b|\byet\b|\bcomes? with\b|\blater\b|\bso far\b/i;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

export function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].flatMap(([, area = '', first = '', last = first]) =>
    Array.from(
      { length: Math.max(0, Number(last) - Number(first) + 1) },
      (_, offset) => `${area}${String(Number(first) + offset).padStart(first.length, '0')}`,
    ),
  );
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateElement') return (node.value as { cooked?: string }).cooked;
  return undefined;
}

/** The texts of a title or of a table, functions aside. */
function textsOf(node: Node | undefined): string[] {
  if (node === undefined || /Function/.test(node.type)) return [];
  const text = textOf(node);
  return text === undefined ? childrenOf(node).flatMap(textsOf) : [text];
}

/** Whether a call is of `it`, `test` or `describe`, with what follows them, such as `.each(table)`. */
function isOfSuite(callee: Node): boolean {
  if (callee.type === 'Identifier') return SUITE.has(String(callee.name));
  if (callee.type === 'CallExpression') return isOfSuite(callee.callee as Node);
  return callee.type === 'MemberExpression' && isOfSuite(callee.object as Node);
}

/** The ids in the titles of a test file, and in the tables that fill its titles. */
export function citedIn(source: string, path = 'file.test.ts'): string[] {
  const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  return [...nodesOf(program)].flatMap((node) => {
    const cell = textOf(node);
    if (cell !== undefined && ONLY_IDS.test(cell)) return idsIn(cell);
    if (node.type !== 'CallExpression' || !isOfSuite(node.callee as Node)) return [];
    return textsOf((node.arguments as Node[])[0]).flatMap(idsIn);
  });
}

/** The titles of a test file, tables aside. */
export function titlesIn(source: string, path = 'file.test.ts'): string[] {
  const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  return [...nodesOf(program)].flatMap((node) => {
    if (node.type !== 'CallExpression' || !isOfSuite(node.callee as Node)) return [];
    const [title] = node.arguments as Node[];
    return title?.type === 'Literal' || title?.type === 'TemplateLiteral' ? [textsOf(title).join('')] : [];
  });
}

function sectionOf(document: string, heading: string): string {
  const [, after = ''] = document.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** Bullets of the form `- T-area-01, T-area-02..04: reason`. */
export function argumentsIn(document: string): Argument[] {
  const bullets = sectionOf(document, 'Arguments').split(/\n(?=- |#|\n)/);
  return bullets.flatMap((bullet) => {
    const match = /^- ([^:]*?): ([\s\S]+)$/.exec(bullet.trim());
    return match === null ? [] : [{ ids: idsIn(match[1] ?? ''), reason: (match[2] ?? '').replace(/\s+/g, ' ') }];
  });
}

export function completeIn(document: string): string[] {
  const [, list = ''] = sectionOf(document, 'Complete areas').split('```');
  return list
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
}

function testFilesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return testFilesIn(path);
    return /\.(test|cases)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

export function readConformance(root: string): Conformance {
  const lines = readFileSync(join(root, 'docs/spec/requirements.jsonl'), 'utf8').trim().split('\n');
  const document = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
  // The rules' own tests are about ids that need not exist.
  const files = testFilesIn(root).filter((path) => !path.startsWith(join(root, 'scripts')));
  return {
    requirements: lines.map((line) => {
      const { id, area, text } = JSON.parse(line) as Requirement;
      return { id, area: `${id[0]} ${area}`, text };
    }),
    cited: new Set(files.flatMap((path) => citedIn(readFileSync(path, 'utf8'), path))),
    argued: argumentsIn(document),
    complete: completeIn(document),
  };
}

export function countAreas({ requirements, cited, argued }: Conformance): AreaCount[] {
  const reasoned = new Set(argued.flatMap(({ ids }) => ids));
  const areas = Map.groupBy(requirements, ({ area }) => area);
  return [...areas]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([area, lines]) => ({
      area,
      cited: lines.filter(({ id }) => cited.has(id)),
      argued: lines.filter(({ id }) => !cited.has(id) && reasoned.has(id)),
      open: lines.filter(({ id }) => !cited.has(id) && !reasoned.has(id)),
    }));
}

/** What is wrong with what the tests and the document claim; empty when nothing is. */
export function faultsOf(conformance: Conformance): string[] {
  const { requirements, cited, argued, complete } = conformance;
  const known = new Set(requirements.map(({ id }) => id));
  const areas = new Map(countAreas(conformance).map((count) => [count.area, count]));
  const ids = argued.flatMap((argument) => argument.ids);
  return [
    ...[...cited].filter((id) => !known.has(id)).map((id) => `${id} is cited, but is no requirement`),
    ...ids.filter((id) => !known.has(id)).map((id) => `${id} is argued, but is no requirement`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is argued twice`),
    ...ids.filter((id) => cited.has(id)).map((id) => `${id} is argued and cited; it is one or the other`),
    ...argued
      .filter(({ reason }) => POSTPONED.test(reason))
      .map((argument) => `${argument.ids.join(', ')}: "${argument.reason}" is open, not argued`),
    ...complete.filter((area) => !areas.has(area)).map((area) => `${area} is marked complete, but is no area`),
    ...complete.flatMap((area) =>
      (areas.get(area)?.open ?? []).map(({ id }) => `${area} is marked complete, but ${id} is open`),
    ),
  ];
}
