/** What files of the built client weigh, whatever the line carried. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const assets = join(import.meta.dirname, '../../web/dist/assets');

export interface Weight {
  readonly files: number;
  /** In gzip, level 9. */
  readonly bytes: number;
}

/** @param urls of everything that a page has fetched, each once @param ending such as `.js` */
export function weigh(urls: ReadonlySet<string>, ending: string): Weight {
  const known = new Set(readdirSync(assets));
  const names = [...urls].map((url) => new URL(url).pathname.split('/').at(-1) ?? '');
  const sizes = names
    .filter((name) => name.endsWith(ending) && known.has(name))
    .map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
