/** Questions to nodes over HTTP: JSON both ways, no redirect, an end in time, and an answer of a largest size. */

export interface NodeQuestion {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  readonly timeoutMs?: number;
  readonly maximumBytes?: number;
}

export interface NodeAnswer {
  readonly status: number;
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
/** Far above any answer but whole blocks. */
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/** @throws where there is more than is allowed */
async function textOf({ body }: Response, maximum: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maximum) throw new Error('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Rejects where the node cannot be reached, is late, or answers too much. */
export async function askNode(question: NodeQuestion): Promise<NodeAnswer> {
  const { url, headers, body, timeoutMs = TIMEOUT_MS, maximumBytes = MAXIMUM_BYTES } = question;
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, text: await textOf(response, maximumBytes) };
}

const parse = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** JSON whose numbers are exact: those that are no whole numbers, or larger than a double holds, come as they are written. */
export const parseExact = (text: string): unknown =>
  parse(text, (_, value, { source }) => (typeof value === 'number' && !Number.isSafeInteger(value) ? source : value));
