/** A TCP proxy before a database that can fall silent: it accepts and carries nothing, as a cut network does. */
import { connect, createServer, type Socket } from 'node:net';

export interface BlackHole {
  /** The same database, through here. */
  readonly url: string;
  /** From now on nothing gets through, and what was connected never will again. */
  swallow(): void;
  /** New connections get through. */
  carry(): void;
  close(): Promise<void>;
}

/** @param port that it listens at; any that is free */
export async function startBlackHole(databaseUrl: string, port = 0): Promise<BlackHole> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    if (!isOpen) return;
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    swallow() {
      isOpen = false;
      for (const socket of sockets) socket.unpipe().pause();
    },
    carry() {
      isOpen = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
