/**
 * The contract says each call with zod schemas, by which the server checks what arrives. The page only needs methods,
 * paths and types, so the built page carries neither zod nor the schemas. Development keeps both, and checks every
 * answer by them.
 */
import { type Plugin, parseAst } from 'vite';

const INERT = '\0schemas';

/** What stands for zod: asked for anything, it gives itself. Only checking something by it is a mistake. */
const inert = `
const refuse = () => { throw new Error('The built page has no schemas to check by'); };
const checks = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync']);
const schema = new Proxy(() => schema, { get: (_, name) => (checks.has(name) ? refuse : schema) });
export const z = schema;
`;
const KEPT = new Set(['methods', 'path', 'op', 'access', 'sensitive']);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The definitions of calls below a node: what stands in the braces of `defineCall({ … })`. */
function definitions(node: Node): Node[] {
  if (node.type === 'CallExpression' && (node.callee as Node).name === 'defineCall') {
    return (node.arguments as Node[]).filter(({ type }) => type === 'ObjectExpression');
  }
  return Object.values(node).flat().filter(isNode).flatMap(definitions);
}

function onlyWhatIsCalled(code: string): string {
  const program = parseAst(code, { lang: 'ts' }) as unknown as Node;
  let [result, from] = ['', 0];
  for (const { properties, start, end } of definitions(program)) {
    const kept = (properties as Node[]).filter(({ key }) => KEPT.has(String((key as Node | undefined)?.name)));
    const text = kept.map((entry) => code.slice(entry.start, entry.end)).join(', ');
    result += `${code.slice(from, start)}{ ${text} }`;
    from = end;
  }
  return result + code.slice(from);
}

export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === 'zod' ? { id: INERT, moduleSideEffects: false } : undefined),
    load: (id) => (id === INERT ? inert : undefined),
    transform: (code, id) =>
      /\/contract\/src\/[^/]+\.ts$/.test(id) ? { code: onlyWhatIsCalled(code), map: null } : undefined,
  };
}
