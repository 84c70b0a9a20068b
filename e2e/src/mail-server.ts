/** An SMTP server of another package, which keeps what the exchange sends through it. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  /** For the setting SMTP_URL. */
  readonly url: string;
  /** The newest mail to an address as it went over the wire: headers, text and HTML. */
  newest(to: string): string | undefined;
  close(): Promise<void>;
}

interface Kept {
  readonly to: readonly string[];
  readonly raw: string;
}

export async function startMailServer(): Promise<MailServer> {
  const kept: Kept[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        kept.unshift({ to, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    newest: (to) => kept.find((mail) => mail.to.includes(to))?.raw,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
