/** A node's JSON-RPC behind a door that can be shut, and by which it says something else than it does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Said {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

export interface LyingNode {
  /** With the node's name and password. */
  readonly url: string;
  isShut: boolean;
  /** What it says instead of its answer; undefined where it says that. */
  lie: ((method: string, params: readonly unknown[], answer: Said) => Said | undefined) | undefined;
  stop(): Promise<void>;
}

/** @param url of the node, with name and password */
export async function startLyingNode(url: string): Promise<LyingNode> {
  const { origin, username, password } = new URL(url);
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (node.isShut) return response.destroy();
    const { authorization = '' } = request.headers;
    const told = await fetch(origin, { method: 'POST', headers: { authorization }, body });
    const answer = await told.text();
    const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] };
    const instead = node.lie?.(method, params, JSON.parse(answer) as Said);
    return response.writeHead(told.status).end(instead === undefined ? answer : JSON.stringify(instead));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const node: LyingNode = {
    url: `http://${username}:${password}@127.0.0.1:${port}`,
    isShut: false,
    lie: undefined,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}
