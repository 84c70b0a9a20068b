/** What is installed when, with an npm that writes down what it was asked for; and how what is served ends. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const NPM = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('asked', process.argv.slice(2).filter((word) => /dev$/.test(word)).join(' ') + '\\n');
mkdirSync('node_modules/.bin', { recursive: true });
writeFileSync('node_modules/.package-lock.json', '{}');
writeFileSync('node_modules/.bin/' + (process.platform === 'win32' ? 'node.cmd' : 'node'), '');
`;

describe('installation of packages', () => {
  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'cambist-clone-'));
    mkdirSync(join(clone, 'scripts'));
    cpSync(join(import.meta.dirname, 'workspace.mjs'), join(clone, 'scripts/workspace.mjs'));
    writeFileSync(join(clone, 'package-lock.json'), '{}');
    writeFileSync(join(clone, 'npm.cjs'), NPM);
    writeFileSync(join(clone, 'asked'), '');
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  /** @returns what npm was told about packages for development, a line for each time it ran */
  function install(...wanted: ('serving' | 'everything')[]): string[] {
    writeFileSync(join(clone, 'asked'), '');
    for (const what of wanted) {
      const script = `import('./scripts/workspace.mjs').then(({ install }) => install('${what}'))`;
      const env = { ...process.env, npm_execpath: join(clone, 'npm.cjs') };
      expect(spawnSync(process.execPath, ['-e', script], { cwd: clone, env }).status).toBe(0);
    }
    return readFileSync(join(clone, 'asked'), 'utf8').split('\n').slice(0, -1);
  }

  it('leaves out for serving what only development needs', () => {
    expect(install('serving')).toEqual(['--omit=dev']);
  });

  it('is done once', () => {
    expect(install('serving', 'serving')).toHaveLength(1);
    expect(install('everything', 'everything')).toHaveLength(1);
  });

  it('adds the rest for a test after serving, and nothing for serving after a test', () => {
    expect(install('serving', 'everything', 'serving')).toEqual(['--omit=dev', '--include=dev']);
  });

  it('removes nothing when the lock file changes', () => {
    install('everything');
    writeFileSync(join(clone, 'package-lock.json'), '{"lockfileVersion":3}');
    expect(install('serving', 'everything')).toEqual(['--include=dev']);
  });

  it('is done again when the packages were removed', () => {
    install('everything');
    rmSync(join(clone, 'node_modules'), { recursive: true });
    expect(install('serving')).toEqual(['--omit=dev']);
  });
});

describe('what npm runs', () => {
  it('ends when npm is told to end', async () => {
    const served =
      "process.on('SIGTERM', () => { console.log('stopped'); process.exit(); }); setTimeout(() => process.exit(), 3e4); console.log('serving');";
    const script = `import('./workspace.mjs').then(({ serve }) => serve(process.execPath, ['-e', ${JSON.stringify(served)}]))`;
    // As npm does it: the shell is told, and nobody else.
    const shell = spawn('sh', ['-c', `"$0" -e "$SCRIPT"; true`, process.execPath], {
      cwd: import.meta.dirname,
      env: { ...process.env, SCRIPT: script, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = shell.stdout.setEncoding('utf8');
    await once(said, 'data');
    shell.kill('SIGTERM');
    expect(await once(said, 'data')).toEqual(['stopped\n']);
  });
});

it('builds in folders with spaces, and says at once that it cannot below one whose name has # or ?', () => {
  const paths = ['/srv/my exchange', '/srv/c#/cambist', '/srv/what?/cambist'];
  const script = `import('./workspace.mjs').then(({ unbuildable }) => console.log(JSON.stringify(${JSON.stringify(paths)}.map(unbuildable))))`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: import.meta.dirname, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([
    null,
    expect.stringContaining('/srv/c#/'),
    expect.stringContaining('/srv/what?/'),
  ]);
});
