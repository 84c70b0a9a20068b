/**
 * Serves the built web client: hashed files for ever, pages never cached, every screen's path the page. The first page
 * was drawn beforehand in every language; the browser's own decides which is sent.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchLocale } from '@cambist/contract/locales.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './calls.ts';
import { sendRefusal } from './http.ts';

const YEAR_SECONDS = 31_536_000;
/** More tags than a person speaks languages are not read. */
const MOST_TAGS = 20;

/** A query may hold anything, such as the address that a link is on. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

function isScreen(request: FastifyRequest): boolean {
  const { method, url } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = pathOf(url);
  return !/^\/(api|ws|docs|assets|icons)(\/|$)/.test(path) && !/\.[a-z0-9]+$/i.test(path);
}

/** The tags of `accept-language`, the most wanted first; what is refused by `q=0` is left out. */
export function acceptedLanguages(header = ''): string[] {
  return header
    .split(',', MOST_TAGS)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { tag, quality: Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag);
}

/** Which of the built pages belongs to an address: some screens have one of their own, with links to their parts. */
function pageReader(directory: string): (url: string) => string {
  const pages = JSON.parse(readFileSync(join(directory, 'pages.json'), 'utf8')) as Record<string, string>;
  const own = Object.entries(pages);
  return (url) => {
    const path = pathOf(url);
    return own.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1] ?? 'index.html';
  };
}

export async function serveWebClient(app: FastifyInstance, directory: string): Promise<void> {
  const isBuilt = existsSync(join(directory, 'index.html'));
  const pageOf = isBuilt ? pageReader(directory) : () => '';
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: directory,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders(response, path) {
        const forever = path.includes('/assets/');
        response.header('cache-control', forever ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
    app.get('/', { schema: { hide: true } }, (request, reply) => {
      const { name } = matchLocale(acceptedLanguages(request.headers['accept-language']));
      return reply.header('vary', 'accept-language').sendFile(`start/${name}.html`);
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isScreen(request)) return reply.sendFile(pageOf(request.url));
    return sendRefusal(reply, new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.'));
  });
}
