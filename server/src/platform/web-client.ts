/** Serves the built web client: hashed files for ever, the page itself never cached, every screen's path the page. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './calls.ts';
import { sendRefusal } from './http.ts';

const YEAR_SECONDS = 31_536_000;

function isScreen(request: FastifyRequest): boolean {
  const { method, url } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !/^\/(api|ws|docs|assets|icons)(\/|$|\?)/.test(url) && !/\.[a-z0-9]+(\?|$)/i.test(url);
}

export async function serveWebClient(app: FastifyInstance, directory: string): Promise<void> {
  const isBuilt = existsSync(join(directory, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: directory,
      index: false,
      cacheControl: false,
      setHeaders(response, path) {
        const forever = path.includes('/assets/');
        response.header('cache-control', forever ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
  }
  if (isBuilt) app.get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'));
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isScreen(request)) return reply.sendFile('index.html');
    return sendRefusal(reply, new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.'));
  });
}
