import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { createSmtpMailer } from './service.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** An independent SMTP server that keeps what it is given. */
async function startSmtp(): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'exchange' && password === 'secret') done(null, { user: username });
      else done(new Error('no'));
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  stops.push(() => server.close());
  const address = server.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { url: `smtp://exchange:secret@127.0.0.1:${port}`, received };
}

const mail = { to: 'someone@example.test', subject: 'Hello', text: 'in words', html: '<p>in marks</p>' };

it('hands a mail to an SMTP server, with both parts and the sender', async () => {
  const { url, received } = await startSmtp();
  const mailer = createSmtpMailer(url, 'Exchange <no-reply@example.test>');
  stops.push(mailer.close);
  await mailer.send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain('To: someone@example.test');
  expect(received[0]).toContain('From: Exchange <no-reply@example.test>');
  expect(received[0]).toContain('in words');
  expect(received[0]).toContain('<p>in marks</p>');
});

it('rejects when nobody takes the mail', async () => {
  const mailer = createSmtpMailer('smtp://127.0.0.1:1', 'a@example.test');
  stops.push(mailer.close);
  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
});
