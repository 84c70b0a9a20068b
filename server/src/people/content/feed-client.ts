/** Asks another site for its feed: within a time, up to a size, and only if it changed since the last time. */
import type { IncomingMessage } from 'node:http';
import { fetchPublic } from '../../platform/public-fetch.ts';

export interface FeedMarks {
  readonly etag: string;
  readonly lastModified: string;
}

export type FeedAnswer =
  | { readonly changed: false }
  | { readonly changed: true; readonly text: string; readonly marks: FeedMarks };

const TIMEOUT_MS = 10_000;
const SIZE_LIMIT_BYTES = 1024 * 1024;
const MARK_LENGTH = 300;

/** @throws Error past the limit; the rest is not read */
async function limitedBody(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > SIZE_LIMIT_BYTES) throw new Error(`The feed is larger than ${SIZE_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As HTTP says, or else as the document itself says in its first line. */
function decoded(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const label = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? /^<\?xml[^>]*encoding=["']([\w-]+)/.exec(start)?.[1];
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes);
  } catch {
    throw new Error(`The feed is written in ${label}, which is not known here`);
  }
}

/** @throws Error that says why there is no feed now, or that `closing` was given */
export async function fetchFeed(url: string, known: FeedMarks, closing: AbortSignal): Promise<FeedAnswer> {
  const headers: Record<string, string> = {
    accept: 'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9',
    'accept-encoding': 'identity',
    'user-agent': 'Cambist news reader',
  };
  if (known.etag !== '') headers['if-none-match'] = known.etag;
  if (known.lastModified !== '') headers['if-modified-since'] = known.lastModified;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetchPublic(url, { headers, signal });
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    if (status === 304) return { changed: false };
    throw new Error(`The feed answered ${status}`);
  }
  const bytes = await limitedBody(response);
  const mark = (name: 'etag' | 'last-modified') => {
    const value = response.headers[name] ?? '';
    return value.length > MARK_LENGTH ? '' : value;
  };
  const text = decoded(bytes, response.headers['content-type'] ?? '');
  return { changed: true, text, marks: { etag: mark('etag'), lastModified: mark('last-modified') } };
}
