/** The rules of the house, as tests: who may import whom, where SQL and HTTP stand, how large a file may be. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PURE } from '../web/vite/pure.ts';
import { titlesIn } from './requirements.ts';
import { circlesOf, droppedCalls, longFunctions } from './structure.ts';
import { tableOwners, tablesOfOthers } from './table-owners.ts';

const root = join(import.meta.dirname, '..');
const rooms = ['core', 'contract', 'server', 'web', 'e2e', 'attack', 'bench', 'scripts'];

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|new URL\('([^']+\.tsx?)'/g;

function readSources(directory: string): SourceFile[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return readSources(path);
    if (!/\.tsx?$/.test(entry.name)) return [];
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(IMPORT)].map((match) =>
      resolveImport(path, match[1] ?? match[2] ?? match[3] ?? ''),
    );
    return [{ path: relative(root, path), text, imports }];
  });
}

/** A path from the root for our own files, the bare name for packages. */
function resolveImport(from: string, name: string): string {
  if (name.startsWith('.')) return relative(root, normalize(join(dirname(from), name)));
  const own = /^@cambist\/([a-z]+)\/(.*)$/.exec(name);
  if (own === null) return name;
  const folder = own[1] === 'server' && own[2]?.startsWith('test/') ? '' : 'src/';
  return `${own[1]}/${folder}${own[2]}`;
}

const sources = rooms.flatMap((room) => readSources(join(root, room)));
const isTest = ({ path }: SourceFile) => /\.(test|cases)\.tsx?$|\/test\/|test-[a-z-]+\.ts$/.test(path);
const product = sources.filter((file) => !isTest(file) && /^(core|contract|server|web)\//.test(file.path));
const roomOf = (path: string) => path.split('/')[0] ?? '';
/** `exchange/orders`, or `platform`, which is one. */
const sliceOf = (path: string) =>
  /^server\/src\/platform\//.test(path) ? 'platform' : /^server\/src\/([^/]+\/[^/]+)\//.exec(path)?.[1];
const quarterOf = (path: string) => /^server\/src\/([^/]+)\//.exec(path)?.[1];
const featureOf = (path: string) => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1];

/** The packages of a room that `npm start` installs. */
function servedPackages(room: string): ReadonlySet<string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'));
  return new Set(Object.keys(dependencies));
}

/** `@a/b` of `@a/b/c`. */
const packageOf = (name: string) => /^(@[^/]+\/)?[^/?]+/.exec(name)?.[0] ?? name;

/** Every import of the files that breaks a rule, as `from → to`. */
function breaches(files: readonly SourceFile[], isAllowed: (from: string, to: string) => boolean): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} → ${to}`),
  );
}

describe('the direction of imports', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    core: ['core'],
    contract: ['contract', 'core'],
    server: ['server', 'contract', 'core'],
    web: ['web', 'contract', 'core'],
  };
  const isOurs = (path: string) => rooms.includes(roomOf(path)) && path.includes('/');

  it('goes contract → core, server → contract and core, web → contract and core, and nowhere else', () => {
    expect(breaches(product, (from, to) => !isOurs(to) || (allowed[roomOf(from)] ?? []).includes(roomOf(to)))).toEqual(
      [],
    );
  });

  it('attack knows nothing of the product but how to start it', () => {
    const attack = sources.filter(({ path }) => path.startsWith('attack/'));
    const isAllowed = (_from: string, to: string) => !isOurs(to) || /^(attack\/|server\/test\/)/.test(to);
    expect(breaches(attack, isAllowed)).toEqual([]);
  });

  it('core imports nothing but itself: no package, no I/O', () => {
    const core = product.filter(({ path }) => path.startsWith('core/'));
    expect(breaches(core, (_from, to) => to.startsWith('core/'))).toEqual([]);
    const impure = /\b(Date\.now|new Date\(|Math\.random|performance\.now|setTimeout|async |await )/;
    expect(
      core.filter(({ text }) => impure.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))).map(({ path }) => path),
    ).toEqual([]);
  });

  it('the product imports no package that only development installs', () => {
    const served = new Map(['core', 'contract', 'server', 'web'].map((room) => [room, servedPackages(room)]));
    const isAllowed = (from: string, to: string) =>
      isOurs(to) || to.startsWith('node:') || (served.get(roomOf(from))?.has(packageOf(to)) ?? false);
    expect(breaches(product, isAllowed)).toEqual([]);
  });

  it('a server slice reaches another only through its service, feed, errors, refusals or wire format', () => {
    const doors = /\/(service|feed|engine|errors|refusals|okx-format)\.ts$/;
    const processes = ['main', 'exchange-process', 'operator', 'signer'].map((name) => `server/src/${name}.ts`);
    const wiring = new Set(['server/src/app.ts', 'server/src/gateway.ts', ...processes]);
    const isAllowed = (from: string, to: string) => {
      const [mine, theirs] = [sliceOf(from), sliceOf(to)];
      // The engine, the ledger and the orders of one quarter are still being taken apart.
      const isWithinExchange = quarterOf(from) === 'exchange' && quarterOf(to) === 'exchange';
      const isOpen = theirs === undefined || theirs === mine || theirs === 'platform' || doors.test(to);
      // What the signer shares is said below.
      const isSigner = from.startsWith('server/src/signer/');
      return wiring.has(from) || isOpen || isWithinExchange || isSigner;
    };
    const server = product.filter(({ path }) => path.startsWith('server/src/'));
    expect(breaches(server, isAllowed)).toEqual([]);
  });

  it('the signer shares with the server only what is pure of chains, and files; the server knows its service alone', () => {
    const shared =
      /^server\/src\/(signer\/|funds\/chains\/(addresses|bitcoin-addresses|bitcoin-block|bitcoin-signature|development-transaction|evm-transaction|refill-files|transactions|tron-transaction|unspendable)\.ts$|platform\/(directory-lock|guarded|logger|private-files|secp256k1)\.ts$)/;
    const isSigner = (path: string) => path.startsWith('server/src/signer/');
    const server = product.filter(({ path }) => path.startsWith('server/src/'));
    const signer = server.filter(({ path }) => isSigner(path));
    expect(signer.length).toBeGreaterThan(0);
    expect(breaches(signer, (_from, to) => !isOurs(to) || !to.startsWith('server/') || shared.test(to))).toEqual([]);
    const others = server.filter(({ path }) => !isSigner(path) && path !== 'server/src/signer.ts');
    expect(breaches(others, (_from, to) => !isSigner(to) || /\/(service|client)\.ts$/.test(to))).toEqual([]);
  });

  it('platform knows no business', () => {
    const platform = product.filter(({ path }) => path.startsWith('server/src/platform/'));
    const isAllowed = (_from: string, to: string) => sliceOf(to) === undefined || sliceOf(to) === 'platform';
    expect(breaches(platform, isAllowed)).toEqual([]);
  });

  it('quarters look down: operator at people and funds, those at exchange and identity, all at platform', () => {
    const heights: Readonly<Record<string, number>> = {
      operator: 3,
      people: 2,
      funds: 2,
      exchange: 1,
      identity: 1,
      platform: 0,
    };
    const isAllowed = (from: string, to: string) => {
      const [mine, theirs] = [quarterOf(from), quarterOf(to)].map((quarter) => heights[quarter ?? '']);
      return mine === undefined || theirs === undefined || quarterOf(from) === quarterOf(to) || theirs < mine;
    };
    expect(breaches(product, isAllowed)).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    const circles = circlesOf(new Map(sources.map(({ path, imports }) => [path, imports])));
    expect(circles).toEqual([]);
  });

  it('web goes app → features → ui and lib; no feature knows another', () => {
    const isAllowed = (from: string, to: string) => {
      if (!to.startsWith('web/src/')) return true;
      // The build draws the first page: it stands above the app.
      if (from === 'web/vite/finish.ts' && to === 'web/src/app/prerender.tsx') return true;
      const [mine, theirs] = [featureOf(from), featureOf(to)];
      if (from.startsWith('web/src/app/') || from === 'web/src/main.tsx') return true;
      if (to.startsWith('web/src/app/')) return false;
      return theirs === undefined || theirs === mine;
    };
    expect(
      breaches(
        product.filter(({ path }) => path.startsWith('web/')),
        isAllowed,
      ),
    ).toEqual([]);
  });
});

/** Makes, drops or renames a table or a view. */
const STEP = /(CREATE|DROP|ALTER) (?:TABLE|VIEW) (\w+)(?: RENAME TO (\w+))?/g;

describe('where things stand', () => {
  it('what opens over a page is of ui/, which gives the focus back', () => {
    const own = product.filter(({ path }) => path.startsWith('web/src/') && !/\/ui\/(dialog|sheet)\.tsx$/.test(path));
    const takesIt = /import \{[^}]*\b(Modal|Drawer)\b[^}]*\} from '@mantine\/core'/;
    expect(own.filter(({ text }) => takesIt.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('SQL is only in stores', () => {
    const isStore = (path: string) => /store\.ts$/.test(path) || path.startsWith('server/src/platform/');
    const speaksSql = /\.(query|transaction|copyOut)(<[^>]*>)?\(\s*[`'"[]/;
    const server = product.filter(({ path }) => path.startsWith('server/src/') && !isStore(path));
    expect(server.filter(({ text }) => speaksSql.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('a table is named in SQL by the slice that owns it, and by no other', () => {
    const migrations = join(root, 'server/migrations');
    const made = readdirSync(migrations).flatMap((name) =>
      [...readFileSync(join(migrations, name), 'utf8').matchAll(STEP)].map(
        ([, act, table = '', renamed]) => [renamed === undefined ? act : 'RENAME', table, renamed] as const,
      ),
    );
    // A table may be dropped and made again, under its own name or by renaming another.
    const tables = new Set<string>();
    for (const [act, table, renamed] of made) {
      if (act === 'CREATE') tables.add(table);
      else if (act !== 'ALTER') tables.delete(table);
      if (renamed !== undefined) tables.add(renamed);
    }
    const ownerOf = new Map(Object.entries(tableOwners).flatMap(([slice, own]) => own.map((table) => [table, slice])));
    expect([...ownerOf.keys()].sort()).toEqual([...tables, 'migrations'].sort());

    const inSql = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(${[...ownerOf.keys()].join('|')})\\b`, 'g');
    const server = product.filter(({ path }) => path.startsWith('server/src/'));
    const named = server.flatMap(({ path, text }) =>
      [...text.matchAll(inSql)]
        .filter(([, table = '']) => ownerOf.get(table) !== sliceOf(path))
        .map(([, table]) => `${sliceOf(path) ?? path} ${table}`),
    );
    expect([...new Set(named)].filter((one) => !tablesOfOthers.includes(one))).toEqual([]);
    // What is mended leaves the list.
    expect(tablesOfOthers.filter((one) => !named.includes(one))).toEqual([]);
  });

  it('a refusal with its HTTP status is made only in routes, in refusals and in platform', () => {
    const server = product.filter(
      ({ path }) => path.startsWith('server/src/') && !/(routes|refusals)\.ts$|\/platform\//.test(path),
    );
    expect(server.filter(({ text }) => text.includes('new Refusal(')).map(({ path }) => path)).toEqual([]);
  });

  it('a request of the server to others says what a redirect does', () => {
    const silent =
      /(?<!\.|async )\bfetch\((?![^;]*redirect: '(?:error|manual)')|transport: http\(|= http\((?!.*redirect)/;
    const server = product.filter(({ path }) => path.startsWith('server/src/'));
    expect(server.filter(({ text }) => silent.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('a listener or a timer of the server is guarded: what it throws would end the process', () => {
    // The process's own signals, and messages between the two ends of one worker.
    const own =
      /\/(main|signer|worker-calls|pglite-worker|follower-worker|liabilities-worker|development-provider)\.ts$/;
    const bare =
      /\.on\(\s*'[a-z]+',(?!\s*guarded\()|setInterval\((?!\s*guarded\()|(?<!\.)setTimeout\((?!\s*(guarded|resolve|reject))/;
    const server = product.filter(({ path }) => path.startsWith('server/src/') && !own.test(path));
    expect(server.filter(({ text }) => bare.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('amounts and prices are typed in the one field that reads every way of writing a number', () => {
    const typed = product.filter(({ path, text }) => path.startsWith('web/src/') && /inputMode\W+decimal/.test(text));
    expect(typed.map(({ path }) => path)).toEqual(['web/src/ui/number-field.tsx']);
  });

  it('what the browser keeps is kept by the one file that minds a storage that is full or forbidden', () => {
    const web = product.filter(({ path }) => path.startsWith('web/src/'));
    const isOwn = (text: string) => /\b(local|session)Storage\b/.test(text);
    const isBare = (text: string) =>
      text.includes("'zustand/middleware'") && !/\b(onDevice|ofClient|inTab)\(/.test(text);
    const keepers = web.filter(({ text }) => isOwn(text) || isBare(text));
    expect(keepers.map(({ path }) => path)).toEqual(['web/src/lib/storage.ts']);
  });

  it('the environment is read only in config.ts', () => {
    const readers = product.filter(({ path, text }) => path.startsWith('server/src/') && text.includes('process.env'));
    expect(readers.map(({ path }) => path)).toEqual([
      ...['server/src/main.ts', 'server/src/operator.ts'],
      // A process of its own, which shares no setting with the server.
      'server/src/signer.ts',
    ]);
  });
});

describe('size and leftovers', () => {
  const lines = (text: string) => text.split('\n').length;

  it('no file is above 500 lines', () => {
    expect(sources.filter(({ text }) => lines(text) > 500).map(({ path, text }) => `${path} ${lines(text)}`)).toEqual(
      [],
    );
  });

  it('few files of the product are above 300 lines', () => {
    const large = product.filter(({ text }) => lines(text) > 300);
    expect(large.length / product.length).toBeLessThan(0.04);
  });

  it('no function is above 70 lines', () => {
    const code = sources.filter((file) => !isTest(file));
    const long = code.flatMap(({ path, text }) =>
      longFunctions(text, path.endsWith('x'), 70).map((found) => `${path} ${found.split(' ')[1]}`),
    );
    expect(long).toEqual([]);
  });

  it('nothing that the page calls is left out of its bundle', () => {
    const dropped = (text: string, isTsx = false) => droppedCalls(text, isTsx, PURE);
    expect(
      dropped('lazy.load(); if (x) { void z?.a().b(); } x && anyOf(1); const c = z.a(); const d = () => z.b();'),
    ).toEqual(['lazy.load()', 'z?.a().b()', 'anyOf(1)']);
    const page = product.filter(({ path }) => /^(web|contract|core)\//.test(path));
    expect(
      page.flatMap(({ path, text }) => dropped(text, path.endsWith('x')).map((call) => `${path} ${call}`)),
    ).toEqual([]);
  });

  it('helpers of tests register no hooks: files that share a process import a helper once, and the first alone would have them', () => {
    const setup = 'e2e/src/scene.ts';
    const helpers = sources.filter(({ path }) => !/\.test\.tsx?$/.test(path) && path !== setup);
    const hooks = /^(before|after)(Each|All)\(/m;
    expect(helpers.filter(({ text }) => hooks.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('words that the glossary forbids become fewer', () => {
    // What is left are texts on screen, which are keys of translations, and values of calls.
    const most: Readonly<Record<string, number>> = { somebody: 1, nobody: 8, everybody: 2, 'the house': 0, sealing: 0 };
    const count = (word: string) =>
      product.reduce((sum, { text }) => sum + [...text.matchAll(new RegExp(`\\b${word}\\b`, 'gi'))].length, 0);
    // Lower a number when its word has become rarer.
    expect(Object.fromEntries(Object.keys(most).map((word) => [word, Math.max(count(word), most[word] ?? 0)]))).toEqual(
      most,
    );
  });

  it('the title of a test begins with what it says, and ids of requirements follow', () => {
    const tests = sources.filter((file) => isTest(file) && file.path !== 'scripts/conformance.test.ts');
    const drowned = tests.flatMap(({ path, text }) =>
      titlesIn(text, path).filter((one) => /^\[?[AT]-[a-z-]+-\d/.test(one)),
    );
    expect(drowned).toEqual([]);
  });

  it('nothing is suppressed, skipped or left for later', () => {
    const leftovers = new RegExp(
      [
        'biome-ig' + 'nore',
        '@ts-ig' + 'nore',
        '@ts-expect-er' + 'ror',
        'TO' + 'DO',
        'FIX' + 'ME',
        '\\.(skip|only)\\(',
      ].join('|'),
    );
    expect(sources.filter(({ text }) => leftovers.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
