/** Files of any length: at the caller's pace, and ended when the caller goes away. */
import { defineCall } from '@cambist/contract/call.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '../../test/until.ts';
import { Download } from './calls.ts';
import { Moments } from './moments.ts';
import { createCallServer } from './serve.ts';

const LINE = `${'x'.repeat(999)}\n`;

const file = defineCall({
  methods: ['GET'],
  path: '/file.csv',
  access: 'public',
  tag: 'Test',
  summary: 'A file without an end, or with a failure',
  query: z.object({ lines: z.coerce.number().default(Number.POSITIVE_INFINITY), fails: z.string().optional() }),
  answer: z.string(),
});

let http: FastifyInstance;
let address: string;
let lines: number;
let ends: string[];

async function* text(length: number, fails: boolean): AsyncGenerator<string, void, void> {
  try {
    for (lines = 0; lines < length; lines += 1) yield LINE;
    if (fails) throw new Error('The database has gone');
  } finally {
    ends.push('text');
  }
}

beforeEach(async () => {
  ends = [];
  lines = 0;
  http = Fastify();
  http.setValidatorCompiler(() => (value: unknown) => ({ value }));
  const calls = createCallServer({
    app: http,
    moments: new Moments(),
    authenticate: () => undefined,
    stepUp: () => Promise.reject(new Error('No call here asks for one')),
    audit: { record: async () => undefined },
    clock: Date,
    isDevelopment: true,
    checkAnswers: true,
    sensitivePerMinute: 0,
  });
  calls.serve(file, ({ query }) => {
    const all = text(query.lines, query.fails !== undefined);
    return new Download('file.csv', all, () => ends.push('download'));
  });
  address = await http.listen({ port: 0 });
});
afterEach(() => http.close());

it('is written whole, then ends', async () => {
  const answer = await fetch(`${address}/file.csv?lines=3000`);
  expect((await answer.text()).length).toBe(3000 * LINE.length);
  await until(() => ends.length === 2, 'both ends');
});

it('is made no faster than it is read, and ends with the connection', async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${address}/file.csv`, { signal: leaving.signal });
  await answer.body?.getReader().read();
  // What fits into the buffers between both ends is made, and then nothing more.
  for (let before = -1; before !== lines; ) {
    before = lines;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(lines).toBeLessThan(100_000);
  expect(ends).toEqual([]);
  leaving.abort();
  await until(() => ends.length === 2, 'both ends');
});

it('breaks off where it fails, so that half a file is not taken for all of it', async () => {
  const answer = await fetch(`${address}/file.csv?lines=5&fails=yes`);
  await expect(answer.text()).rejects.toThrow();
  await until(() => ends.length === 2, 'both ends');
});
