import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveWebClient } from './web-client.ts';

const directory = mkdtempSync(join(tmpdir(), 'web-client-'));
let app: FastifyInstance;

beforeAll(async () => {
  writeFileSync(join(directory, 'index.html'), 'the page');
  writeFileSync(join(directory, 'terminal.html'), 'the page of the terminal');
  writeFileSync(join(directory, 'pages.json'), JSON.stringify({ '/trades': 'terminal.html' }));
  app = fastify();
  await serveWebClient(app, directory);
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

it.each([
  ['/wallet', 'the page'],
  ['/wallet?utm_source=news.example', 'the page'],
  ['/signin?return=/a.b', 'the page'],
  ['/markets/prices?ref=https://news.example/today.html', 'the page'],
  ['/wallet?next=/api/v3/x', 'the page'],
  ['/trades/spot/BTC?from=a.b', 'the page of the terminal'],
])('%s is a screen', async (url, page) => {
  const { statusCode, body } = await app.inject(url);
  expect([statusCode, body]).toEqual([200, page]);
});

it.each(['/assets/gone.js', '/gone.js?v=1', '/api/v3/gone', '/api?x', '/docs/gone'])('%s is none', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(404);
});
