/** A private socket that asks as a program does, and knows its answers by their requests. */
import WebSocket from 'ws';
import type { TestApp } from './app.ts';

export interface SocketAnswer {
  readonly status: number;
  readonly body: Record<string, never>;
  readonly retry_after?: number;
}

export interface OrderSocket {
  /** In the order of their arrival. */
  readonly heard: readonly Record<string, unknown>[];
  request(op: string, args: object, more?: { key?: string; language?: string }): Promise<SocketAnswer>;
  send(message: object): void;
  /** Ends without a word. */
  cut(): void;
  readonly closed: Promise<number>;
}

export async function listen(server: TestApp): Promise<string> {
  await server.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = server.app.http.server.address();
  return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5`;
}

/** @param token without one the socket does not sign in */
export async function openOrderSocket(url: string, token: string | undefined, path = 'private'): Promise<OrderSocket> {
  const socket = new WebSocket(`${url}/${path}`);
  const heard: Record<string, unknown>[] = [];
  const waiting = new Map<string, (answer: SocketAnswer) => void>();
  const signedIn = Promise.withResolvers<void>();
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  let requests = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    heard.push(message);
    if (message.event === 'login') signedIn.resolve();
    if (message.code === '60009') signedIn.reject(new Error('The login was refused'));
    const resolve = waiting.get(String(message.id));
    if (resolve === undefined || message.status === undefined) return;
    waiting.delete(String(message.id));
    resolve(message as unknown as SocketAnswer);
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  await new Promise((resolve) => socket.once('open', resolve));
  if (token !== undefined) {
    send({ op: 'login', args: [{ token }] });
    await signedIn.promise;
  }
  return {
    heard,
    send,
    closed,
    cut: () => socket.terminate(),
    request(op, args, more = {}) {
      requests += 1;
      const id = `r${requests}`;
      const answer = new Promise<SocketAnswer>((resolve) => waiting.set(id, resolve));
      send({ id, op, args, ...more });
      return answer;
    },
  };
}
