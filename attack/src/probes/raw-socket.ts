/** Bytes to a port, and what comes back: nothing between the attack and the server's parser. */
import { connect } from 'node:net';

export interface Probed {
  /** Empty when the server said nothing. */
  readonly answer: string;
  readonly wasClosed: boolean;
}

export interface ProbeOptions {
  /** How long to listen after the last byte was sent. */
  readonly listenMs: number;
  /** Ends our side once everything is sent. */
  readonly halfClose?: boolean;
  /** Resets the connection instead of ending it. */
  readonly reset?: boolean;
}

/** Sends the parts one after another, each in a packet of its own. Never throws: what the server does is the result. */
export function probe(port: number, parts: readonly (string | Buffer)[], options: ProbeOptions): Promise<Probed> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let answer = '';
    let isOver = false;
    const finish = (wasClosed: boolean) => {
      if (isOver) return;
      isOver = true;
      if (options.reset) socket.resetAndDestroy();
      else socket.destroy();
      resolve({ answer, wasClosed });
    };
    socket.on('data', (chunk) => {
      if (answer.length < 20_000) answer += chunk.toString('latin1');
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.on('connect', async () => {
      for (const part of parts) {
        if (socket.writable) await new Promise((sent) => socket.write(part, () => setImmediate(sent)));
      }
      if (options.halfClose) socket.end();
      setTimeout(() => finish(false), options.listenMs);
    });
  });
}
