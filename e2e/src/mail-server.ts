/** An SMTP server of another package, which keeps what the exchange sends through it. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  /** For the setting SMTP_URL. */
  readonly url: string;
  /** The newest mail to an address as it went over the wire: headers, text and HTML. */
  newest(to: string): string | undefined;
  /** The six digits in the subject of the newest mail that has any and was not read before; waits for it. */
  code(to: string): Promise<string>;
  close(): Promise<void>;
}

interface Kept {
  readonly to: readonly string[];
  readonly raw: string;
  /** In the subject. */
  readonly code: string | undefined;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;

export async function startMailServer(): Promise<MailServer> {
  const kept: Kept[] = [];
  const read = new Set<Kept>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const raw = Buffer.concat(chunks).toString();
        kept.unshift({ to, raw, code: /^Subject:.*?\b(\d{6})\b/m.exec(raw)?.[1] });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    newest: (to) => kept.find((mail) => mail.to.includes(to))?.raw,
    async code(to) {
      const deadline = performance.now() + PATIENCE_MS;
      while (performance.now() < deadline) {
        const mail = kept.find(({ to: all, code }) => all.includes(to) && code !== undefined);
        if (mail?.code !== undefined && !read.has(mail)) {
          read.add(mail);
          return mail.code;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
      throw new Error(`No new code has been mailed to ${to}`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
