/** The private stream as any program speaks it: what was pushed is kept, because it was promised. */
import WebSocket from 'ws';

export interface Push {
  readonly event?: string;
  readonly code?: string;
  readonly arg?: { readonly channel: string };
  readonly data?: readonly Readonly<Record<string, string>>[];
  readonly seqId?: number;
  readonly prevSeqId?: number;
}

export interface Stream {
  readonly heard: readonly Push[];
  send(message: unknown): void;
  isOpen(): boolean;
  /** Resolves with the first message that fits, past ones included; undefined when none came in time. */
  until(fits: (push: Push) => boolean, patienceMs?: number): Promise<Push | undefined>;
  close(): void;
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 5;

export async function openStream(url: string): Promise<Stream> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws/v5/private`);
  const heard: Push[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Push));
  // An end is seen by `isOpen`; without a listener the process would end too.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('open', resolve);
    socket.once('close', () => resolve());
  });
  return {
    heard,
    send: (message) => socket.send(JSON.stringify(message), () => undefined),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    async until(fits, patienceMs = PATIENCE_MS) {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const found = heard.find(fits);
        if (found !== undefined || performance.now() > deadline) return found;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    close: () => socket.terminate(),
  };
}

/** Signed in and subscribed, or as far as the server let it come. */
export async function listenAs(url: string, token: string, channels: readonly string[]): Promise<Stream> {
  const stream = await openStream(url);
  stream.send({ op: 'login', args: [{ token }] });
  await stream.until(({ event }) => event === 'login' || event === 'error');
  stream.send({ op: 'subscribe', args: channels.map((channel) => ({ channel })) });
  const answers = () => stream.heard.filter(({ event }) => event === 'subscribe' || event === 'error').length;
  await stream.until(() => answers() >= channels.length, 2000);
  return stream;
}
