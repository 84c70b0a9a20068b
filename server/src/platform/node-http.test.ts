import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { askNode, basic, RpcRefusal, rpcResult } from './node-http.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

async function startNode(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a question to a node', () => {
  it('goes out again where the node closes the connection that was kept, and no third time', async () => {
    const asked: Socket[] = [];
    const url = await startNode(({ socket }, response) => {
      // The second question of each connection.
      if (asked.includes(socket)) return socket.destroy();
      asked.push(socket);
      return response.end('"yes"');
    });
    expect((await askNode({ url, body: {} })).text).toBe('"yes"');
    expect((await askNode({ url, body: {} })).text).toBe('"yes"');
    expect(asked).toHaveLength(2);
    stop?.();

    let count = 0;
    const closing = await startNode(({ socket }) => {
      count += 1;
      socket.destroy();
    });
    await expect(askNode({ url: closing, body: {} })).rejects.toThrow();
    expect(count).toBe(2);
  });

  it('is not answered by a redirect, by more than may come, or later than it may', async () => {
    const url = await startNode((request, response) => {
      if (request.url === '/redirect') response.writeHead(307, { location: '/' });
      if (request.url === '/late') return;
      response.end('x'.repeat(101));
    });
    await expect(askNode({ url: `${url}/redirect`, body: {} })).rejects.toThrow();
    await expect(askNode({ url, body: {}, maximumBytes: 100 })).rejects.toThrow('The answer is too large');
    expect((await askNode({ url, body: {}, maximumBytes: 101 })).text).toHaveLength(101);
    await expect(askNode({ url: `${url}/late`, body: {}, timeoutMs: 50 })).rejects.toThrow(/timeout/i);
  });
});

describe('the name and the password of an address', () => {
  it('reach the node, unless others are given, and stand in no failure', async () => {
    const url = await startNode((request, response) => response.end(request.headers.authorization));
    const secret = url.replace('//', '//name:se%3Acret@');
    expect((await askNode({ url, body: {} })).text).toBe('');
    expect((await askNode({ url: secret, body: {} })).text).toBe(basic('name:se:cret'));
    const headers = { authorization: basic('of:a file') };
    expect((await askNode({ url: secret, headers, body: {} })).text).toBe(headers.authorization);
    const away = await askNode({ url: 'http://name:secret@127.0.0.1:1', body: {} }).catch((error: Error) => error);
    expect(inspect(away, { depth: 9 })).toMatch(/^(?!.*secret)/s);
    expect(away).toBeInstanceOf(Error);
  });
});

describe('a JSON-RPC answer', () => {
  it('is its result, or the refusal of the node with its code and words', () => {
    expect(rpcResult({ jsonrpc: '2.0', id: 1, result: '0x1' })).toBe('0x1');
    expect(rpcResult({ result: null, error: null })).toBe(null);
    const refused = () => rpcResult({ jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted' } });
    expect(refused).toThrow(RpcRefusal);
    expect(refused).toThrow('execution reverted');
    expect(() => rpcResult('nonsense')).toThrow();
  });
});
