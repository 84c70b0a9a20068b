/** Which upgrade to a websocket is taken, and how one is refused. */
import type { Socket } from 'node:net';
import type { StreamPath } from './connection.ts';

/** A Map, not an object: a target such as `constructor` must not find what every object has. */
const paths: ReadonlyMap<string, StreamPath> = new Map([
  ['/ws/v5/public', 'public'],
  ['/ws/v5/business', 'business'],
  ['/ws/v5/private', 'private'],
]);

export function refuseUpgrade(socket: Socket, status: string): void {
  // A peer that never closes its side would keep the socket.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The stream of a request's target, or the status that refuses it: a target may be malformed or name another host. */
export function streamOf(target: string): StreamPath | '400 Bad Request' | '404 Not Found' {
  const path = target.startsWith('//') ? undefined : URL.parse(target, 'http://localhost')?.pathname;
  if (path === undefined) return '400 Bad Request';
  return paths.get(path) ?? '404 Not Found';
}
