/** Questions to nodes over HTTP: JSON both ways, no redirect, an end in time, and an answer of a largest size. */
import { z } from 'zod';

export interface NodeQuestion {
  /** With name and password, or without. */
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

export const basic = (nameAndPassword: string): string => `Basic ${Buffer.from(nameAndPassword).toString('base64')}`;

/** Name and password of an address go into a header: `fetch` refuses them where they are, and says them as it does. */
function withoutPassword(address: string): { readonly url: string; readonly own: Readonly<Record<string, string>> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address, own: {} };
  url.username = '';
  url.password = '';
  return {
    url: url.href,
    own: { authorization: basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`) },
  };
}

/** A connection that was kept from earlier questions was closed as this one went out. */
const isClosed = ({ cause }: Error) =>
  ['ECONNRESET', 'UND_ERR_SOCKET'].includes(String((cause as { code?: unknown } | undefined)?.code));

/**
 * Rejects where the node cannot be reached, is late, or answers too much. A node may be asked twice: whatever is asked this way
 * does the same however often it comes, a signed transaction too.
 */
export async function askNode(question: NodeQuestion): Promise<NodeAnswer> {
  const { headers, body, timeoutMs = TIMEOUT_MS, maximumBytes = MAXIMUM_BYTES } = question;
  const { url, own } = withoutPassword(question.url);
  const ask = () =>
    fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: { ...own, ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await ask().catch((error: Error) => {
    if (!isClosed(error)) throw error;
    return ask();
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

/** A node has answered a call with an error: its code, and its own words. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const rpcAnswer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});

/**
 * What a JSON-RPC answer holds.
 * @throws RpcRefusal for the node's own error, whatever the status it came with
 */
export function rpcResult(json: unknown): unknown {
  const { result, error } = rpcAnswer.parse(json);
  if (error != null) throw new RpcRefusal(error.code, error.message);
  return result;
}

type AskedNode = Pick<NodeQuestion, 'url' | 'timeoutMs' | 'maximumBytes'>;

/** A call of JSON-RPC 2.0, and its result. @throws RpcRefusal, and as `askNode` */
export async function callNode(node: AskedNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const { text } = await askNode({ ...node, body: { jsonrpc: '2.0', id: 1, method, params } });
  return rpcResult(JSON.parse(text));
}
