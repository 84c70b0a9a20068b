/** Every operator's call against the table in docs/operator-acts.md, and every figure against its bound. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@cambist/contract/call.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const SECOND = { loosening: 'to loosen', worth: 'from its bound on' } as const;

async function operatorCalls(): Promise<Call[]> {
  const directory = join(ROOT, 'contract/src');
  const files = readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((name) => import(join(directory, name)) as Promise<object>));
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is Call => typeof value === 'object' && value !== null && 'methods' in value)
    .filter(({ access }) => access.startsWith('operator:'));
}

function auditOf({ audit = 'none' }: Call): string {
  if (audit === 'none') return '–';
  return 'reads' in audit ? `${audit.reads} (read)` : audit.acts.join(', ');
}

/** Without its bound, which is words. */
const declared = (call: Call): readonly string[] => [
  `\`${call.methods[0]} ${call.path}\``,
  call.access.slice('operator:'.length),
  call.stepUp ?? (call.stepUpAtTimes ? `${call.stepUpAtTimes}, at times` : '–'),
  call.secondPerson ? SECOND[call.secondPerson] : '–',
  auditOf(call),
];

interface Row {
  readonly cells: readonly string[];
  readonly bound: string;
}

function documented(): Row[] {
  const text = readFileSync(join(ROOT, 'docs/operator-acts.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `(GET|POST|PATCH|DELETE) /.test(line));
  return rows.map((line) => {
    const [call = '', right = '', stepUp = '', second = '', bound = '', audit = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { cells: [call, right, stepUp, second, audit], bound };
  });
}

type Schema = { readonly [name: string]: unknown };

/** The paths of figures, and of those without a maximum. */
function figures(schema: Schema, path = ''): { readonly path: string; readonly isBounded: boolean }[] {
  const nested = Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, one]) =>
    figures(one, path === '' ? name : `${path}.${name}`),
  );
  const others = [...((schema.anyOf ?? []) as Schema[]), ...(schema.items ? [schema.items as Schema] : [])];
  const own = () => {
    if (schema.const !== undefined || schema.enum !== undefined) return [];
    const { type, pattern, maximum } = schema;
    if (type === 'integer' || type === 'number') {
      return [{ path, isBounded: typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER }];
    }
    const isDecimal = typeof pattern === 'string' && pattern.includes('(\\.\\d+)?');
    return isDecimal ? [{ path, isBounded: schema['x-maximum'] !== undefined }] : [];
  };
  return [...nested, ...others.flatMap((one) => figures(one, path)), ...own()];
}

/** Ids are no figures: each is of something that is there. */
const isId = (path: string) => /(^|_)(id|on)$/.test(path);

describe('operator acts', async () => {
  const calls = await operatorCalls();

  it('are all in docs/operator-acts.md, with right, step-up, second person and audit', () => {
    const rows = documented().map(({ cells }) => cells.join(' | '));
    expect(rows.toSorted()).toEqual(calls.map((call) => declared(call).join(' | ')).toSorted());
  });

  it('bound every figure that they set, and the table says so', () => {
    const bodies = calls.flatMap((call) => {
      if (call.body === undefined) return [];
      const schema = z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as Schema;
      return [{ call, found: figures(schema).filter(({ path }) => !isId(path)) }];
    });
    const unbounded = bodies.flatMap(({ call, found }) =>
      found.filter(({ isBounded }) => !isBounded).map(({ path }) => `${call.path} ${path}`),
    );
    expect(unbounded).toEqual([]);
    const withFigures = bodies.filter(({ found }) => found.length > 0).map(({ call }) => declared(call)[0]);
    expect(withFigures.length).toBeGreaterThan(10);
    const silent = documented().filter(({ cells, bound }) => withFigures.includes(cells[0]) && bound === '–');
    expect(silent.map(({ cells }) => cells[0])).toEqual([]);
  });

  it('that change something or show data of clients are in the audit log', () => {
    const silent = calls.filter(({ audit }) => audit === 'none').map(({ methods, path }) => `${methods[0]} ${path}`);
    const reading = silent.filter((name) => name.startsWith('GET') || name.endsWith('/preview'));
    expect(silent).toEqual(reading);
  });
});
