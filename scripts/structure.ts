/**
 * What the rules of `tidy.test.ts` ask of the sources beyond their text: circles of imports, lengths of functions, and calls
 * that a bundle leaves out.
 */
import { parseAst } from 'rolldown/parseAst';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Files that import each other, each circle once: from every file on it, the shortest way back to it. */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    indexes.set(file, indexes.size);
    lowest.set(file, indexes.get(file) ?? 0);
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      if (!indexes.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) !== indexes.get(file)) return;
    const members = open.splice(open.indexOf(file));
    if (members.length > 1) circles.push(members.sort().join(' '));
  };
  for (const file of imports.keys()) if (!indexes.has(file)) visit(file);
  return circles.sort();
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** @returns `lines name` of each function that is longer than `most` lines */
export function longFunctions(code: string, isTsx: boolean, most: number): string[] {
  const found: string[] = [];
  const walk = (node: Node, name: string): void => {
    const own = (node.id as Node | null | undefined)?.name ?? (node.key as Node | undefined)?.name;
    const called = typeof own === 'string' ? own : name;
    if (FUNCTIONS.has(node.type)) {
      const lines = code.slice(node.start, node.end).split('\n').length;
      if (lines > most) found.push(`${lines} ${called}`);
    }
    for (const value of Object.values(node).flat()) if (isNode(value)) walk(value, called);
  };
  walk(parseAst(code, { lang: isTsx ? 'tsx' : 'ts' }) as unknown as Node, '');
  return found;
}

/** What a statement does after all that decides whether it does it. */
function done(node: Node): Node[] {
  if (node.type === 'UnaryExpression' || node.type === 'AwaitExpression') return done(node.argument as Node);
  if (node.type === 'LogicalExpression') return done(node.right as Node);
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((part) => done(part as Node));
  return node.type === 'ChainExpression' ? done(node.expression as Node) : [node];
}

/** `a` of `a.b().c`. */
function rootOf(node: Node): string {
  const inner = node.type === 'MemberExpression' ? node.object : node.callee;
  return isNode(inner) ? rootOf(inner) : String(node.name ?? '');
}

/**
 * Calls of what the bundler takes for pure, whose answers are not used: it leaves them out.
 * @returns the code of each
 */
export function droppedCalls(code: string, isTsx: boolean, pure: readonly string[]): string[] {
  const found: string[] = [];
  const walk = (node: Node): void => {
    const isUnused =
      node.type === 'ExpressionStatement' || (node.type === 'UnaryExpression' && node.operator === 'void');
    const calls = isUnused ? done((node.expression ?? node.argument) as Node) : [];
    for (const call of calls) {
      if (call.type === 'CallExpression' && pure.includes(rootOf(call))) found.push(code.slice(call.start, call.end));
    }
    for (const value of Object.values(node).flat()) if (isNode(value)) walk(value);
  };
  walk(parseAst(code, { lang: isTsx ? 'tsx' : 'ts' }) as unknown as Node);
  return [...new Set(found)];
}
