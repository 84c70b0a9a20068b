/** What an address is: whatever is accepted reaches one mailbox, and that mailbox is the one that the key names. */
import { emailKeyOf, readEmail, visibleText } from '@cambist/contract/email.ts';
import { email } from '@cambist/contract/fields.ts';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmtpMailer } from './service.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const composer = createTransport({ streamTransport: true }, { from: 'exchange@example.test' });
/** The recipients that nodemailer would address, given the address as it is and as a text that it parses. */
async function recipientsOf(address: string): Promise<(string | undefined)[][]> {
  const [plain, parsed] = await Promise.all([
    composer.sendMail({ to: { name: '', address } }),
    composer.sendMail({ to: address }),
  ]);
  return [plain, parsed].map(({ envelope }) => [...(envelope.to as string[])]);
}

describe('an email address', () => {
  it.each([
    'a@b.test',
    'first.last+tag@sub.example.co',
    "o'brien@example.test",
    'A_b-9@x-1.example.test',
    `${'l'.repeat(64)}@${'d'.repeat(63)}.test`,
    'a#$&*/=?^`{|}~b@example.test',
    'a@xn--bcher-kva.example',
    'a@xn--80ak6aa92e.xn--p1ai',
  ])('may be %s', (address) => expect(email.safeParse(address).data).toBe(address));

  it.each([
    'a@b',
    'a,b@example.test',
    'a@example.test,b@example.test',
    'a@example.test;b@example.test',
    'Ann <a@example.test>',
    '<a@example.test>',
    'a(comment)@example.test',
    'a@(comment)example.test',
    '"a"@example.test',
    '"a b"@example.test',
    'a\\@b@example.test',
    'group:a@example.test',
    'a%b@example.test',
    'b!a@example.test',
    'a@b@example.test',
    'a@[127.0.0.1]',
    'a@exa mple.test',
    'a..b@example.test',
    '.a@example.test',
    'a.@example.test',
    'a@-example.test',
    'a@example-.test',
    'a@example..test',
    'a@example.test.',
    'a@example.123',
    'a@example.xn--',
    'a@example.xn--p1ai-',
    'a@example.test\r\nBcc: b@example.test',
    'a\u0000@example.test',
    // Look-alikes: Kelvin sign, full-width, Cyrillic, dotless i, a zero-width space, right-to-left override, ideographic stop.
    '\u212Aate@example.test',
    '\uFF41@example.test',
    '\u0430nn@example.test',
    'b\u0131ll@example.test',
    'a\u200Bb@example.test',
    'a\u202Eb@example.test',
    'a@example\u3002test',
    'a@ex\u0430mple.test',
    'ä@example.test',
    `${'l'.repeat(65)}@example.test`,
    `a@${'d'.repeat(64)}.test`,
    `a@${`${'d'.repeat(60)}.`.repeat(5)}test`,
  ])('may not be %j', (address) => {
    expect(email.safeParse(address).success).toBe(false);
    expect(readEmail(address)).toBeUndefined();
  });

  it('reaches one mailbox, which its key names, whatever the grammar accepts', async () => {
    const pieces = fc.constantFrom(...'aZ09._-+\'"(),;:<>@[]\\% \t\r\nkK\u212A\u0130\u0131\uFF41\u0430ß'.split(''));
    const noise = fc.tuple(fc.array(pieces, { maxLength: 12 }), fc.array(pieces, { maxLength: 12 }));
    const made = noise.map(([local, domain]) => `a${local.join('')}@b${domain.join('')}.test`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.emailAddress(), made), async (text) => {
        const parsed = email.safeParse(text);
        fc.pre(parsed.success);
        const address = String(parsed.data);
        for (const recipients of await recipientsOf(address)) {
          expect(recipients).toHaveLength(1);
          expect(emailKeyOf(String(recipients[0]))).toBe(emailKeyOf(address));
        }
      }),
      { numRuns: 400, maxSkipsPerRun: 100 },
    );
  });

  it('is the same in any case of its ASCII letters, and no other letter becomes one of them', () => {
    expect(emailKeyOf(' Ann.K@Example.Test ')).toBe('ann.k@example.test');
    expect(emailKeyOf('\u212Aate@example.test')).not.toBe(emailKeyOf('kate@example.test'));
    expect(emailKeyOf('\u0130@example.test')).not.toContain('i@');
  });

  it('is shown without what is not seen', () => {
    expect(visibleText('a\u202Etset.elpmaxe@b\u200B\u0007')).toBe('atset.elpmaxe@b');
  });
});

/** Keeps who each mail was handed over for, and its headers. */
async function startSmtp() {
  const received: { to: string[]; head: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const [head = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), head });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  stops.push(() => server.close());
  const address = server.server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, received };
}

describe('a mail', () => {
  const body = { text: 'in words', html: '<p>in marks</p>' };

  it('has the headers that it was given, whatever is in its subject', async () => {
    const { url, received } = await startSmtp();
    const mailer = createSmtpMailer(url, 'Exchange <no-reply@example.test>');
    stops.push(mailer.close);
    await mailer.send({ to: 'a@example.test', subject: 'Hello\r\nBcc: b@example.test\r\n\r\nBody', ...body });
    expect(received.map(({ to }) => to)).toEqual([['a@example.test']]);
    expect(received[0]?.head).not.toMatch(/^Bcc:/im);
    expect(received[0]?.head).toMatch(/^MIME-Version:/m);
  });

  it('goes to one mailbox or to none, also of an account from before the grammar', async () => {
    const { url, received } = await startSmtp();
    const mailer = createSmtpMailer(url, 'Exchange <no-reply@example.test>');
    stops.push(mailer.close);
    const lists = [
      'a@example.test,b@example.test',
      'Ann<a@example.test>',
      '"a,b"@example.test',
      'a b@example.test',
      '',
    ];
    for (const to of lists) await expect(mailer.send({ to, subject: 'Hello', ...body })).rejects.toThrow(/one mailbox/);
    await mailer.send({ to: 'legacy@localhost', subject: 'Hello', ...body });
    expect(received.map(({ to }) => to)).toEqual([['legacy@localhost']]);
  });
});
