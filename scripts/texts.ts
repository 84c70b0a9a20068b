/** Finds the texts of the source: what `t`, `say` and `msg` are given, and words that went past them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface FoundTexts {
  /** Every key, with the files that use it. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** `file: words` of text that a person would see in English whatever the language. */
  readonly bare: readonly string[];
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const MARKS = new Set(['t', 'say', 'msg']);
/** Attributes whose words a person sees or hears. */
const SPOKEN = new Set(['aria-label', 'alt', 'description', 'label', 'placeholder', 'title', 'text', 'says']);
/** A word in small letters; symbols, units and names such as USDT, OKX or Cambist are no language. */
const WORDS = /(?<![A-Za-z])[A-Za-z]?[a-z]{2,}/;
const NAMES = /Cambist|GitHub|Google|Apple|Android|iOS|MetaMask|WalletConnect|TradingView|Chatwoot/g;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every node below, with whether it runs only when a function is called. */
function* nodesOf(node: Node, inFunction = false): Generator<[Node, boolean]> {
  yield [node, inFunction];
  const within = inFunction || /Function/.test(node.type);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child, within);
  }
}

/** The literal texts of an argument; a choice between literals counts for each of them. */
function literals(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((n) => literals(n as Node));
  return [];
}

const isCallOf = (node: Node, name: string) => node.type === 'CallExpression' && (node.callee as Node).name === name;

/** Schemas of the contract are given their messages as a later argument, or as a property. */
function schemaMessages(node: Node): string[] {
  if (node.type === 'Property' && /^(message|error)$/.test(String((node.key as Node).name))) {
    return literals(node.value as Node).filter(isSentence);
  }
  if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'MemberExpression') return [];
  return (node.arguments as Node[]).slice(1).flatMap(literals).filter(isSentence);
}

const isSentence = (text: string) => /^[A-Z].* /.test(text);

const isRefusal = (node: Node) => node.type === 'NewExpression' && (node.callee as Node).name === 'Refusal';

function keyOf(node: Node): string[] {
  // The text of a refusal of the server is its third argument.
  if (isRefusal(node)) return literals((node.arguments as Node[])[2]);
  if (node.type === 'CallExpression' && MARKS.has(String((node.callee as Node).name))) {
    return literals((node.arguments as Node[])[0]);
  }
  if (node.type === 'JSXAttribute' && (node.name as Node).name === 'i18nKey') return literals(node.value as Node);
  return [];
}

function bareWords(node: Node): string | undefined {
  const text = node.type === 'JSXText' ? String(node.value) : spokenLiteral(node);
  return text && WORDS.test(text.replace(NAMES, '')) ? text.trim() : undefined;
}

function spokenLiteral(node: Node): string | undefined {
  if (node.type !== 'JSXAttribute' || !SPOKEN.has(String((node.name as Node).name))) return undefined;
  return literals(node.value as Node)[0];
}

function sourcesIn(directory: string): string[] {
  if (directory.endsWith('.ts')) return [directory];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The texts of every source file in the folders, and of files that are named. */
export function findTexts(directories: readonly string[]): FoundTexts {
  const keys = new Map<string, string[]>();
  const bare: string[] = [];
  for (const path of directories.flatMap(sourcesIn)) {
    const program = parseAst(readFileSync(path, 'utf8'), {
      lang: path.endsWith('x') ? 'tsx' : 'ts',
    }) as unknown as Node;
    for (const [node, inFunction] of nodesOf(program)) {
      const found = path.includes('/contract/src/') ? [...keyOf(node), ...schemaMessages(node)] : keyOf(node);
      for (const key of found) keys.set(key, [...(keys.get(key) ?? []), path]);
      if (isCallOf(node, 't') && !inFunction)
        bare.push(`${path}: t() where no language is known yet; mark it with msg()`);
      if (isRefusal(node) && (node.arguments as Node[])[2]?.type === 'TemplateLiteral') {
        bare.push(`${path}: a refusal whose text is put together; name its values with say()`);
      }
      const words = bareWords(node);
      if (words) bare.push(`${path}: ${words}`);
    }
  }
  return { keys, bare };
}
