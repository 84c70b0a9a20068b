/** HTTP as any program speaks it: nothing of the server's or the contract's code. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** What the caller expects to have come; nothing checks it. Throws when it is no JSON. */
  json<Shape>(): Shape;
}

export interface Sending {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
  /** The address that the connection comes from, such as `127.0.0.9`: another network to the server. */
  readonly from?: string | undefined;
}

/** The connection ended, or nothing came in time: whether the request was carried out is not known. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

export interface Http {
  readonly url: string;
  /** @throws Unanswered */
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
  close(): void;
}

const PATIENCE_MS = 20_000;
const SOCKETS = 64;

function headersOf({ token, headers, body }: Sending, payload: Buffer | undefined): Record<string, string | number> {
  return {
    ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
    ...(payload === undefined ? {} : { 'content-length': payload.length }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
}

export function createHttp(url: string): Http {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });

  function once(method: string, path: string, sending: Sending): Promise<Answer> {
    const { body, from } = sending;
    const payload =
      body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(new Unanswered(`${method} ${path}: ${error.message}`, { cause: error }));
      const asked = request(
        {
          hostname,
          port,
          method,
          path,
          agent,
          headers: headersOf(sending, payload),
          ...(from === undefined ? {} : { localAddress: from }),
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', fail);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const json = <Shape>() => JSON.parse(text) as Shape;
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
          });
        },
      );
      asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('no answer in time')));
      asked.on('error', fail);
      asked.end(payload);
    });
  }

  return {
    url,
    send: (method, path, sending = {}) => once(method, path, sending),
    close: () => agent.destroy(),
  };
}
