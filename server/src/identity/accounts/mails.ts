/** What accounts write to people: codes, and news about their own account. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKeyOf } from '@cambist/contract/email.ts';
import { type MailTemplate, mailMessage } from '../../platform/mail-template.ts';
import type { Message, Outbox } from '../../platform/outbox.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { ClientRow, ClientStore } from './client-store.ts';

type Paragraph = LocalizedText | { readonly words: string };

/** As long as a code is good. */
const CODE_MS = 10 * 60_000;
const NEWS_MS = 3 * 86_400_000;

/** A mail with a code in it. */
export function codeMail(to: string, code: string, locale: string): MailTemplate {
  return {
    to,
    locale,
    code,
    subject: say('{{code}} is your verification code', { code }),
    paragraphs: [
      say('Your Cambist verification code is'),
      say(
        "It expires in ten minutes. We never ask for it by phone or chat. If you didn't request it, ignore this email.",
      ),
    ],
  };
}

/** Puts a code into the outbox, tried again for as long as it is good. */
export async function postCode(outbox: Pick<Outbox, 'put'>, template: MailTemplate): Promise<void> {
  await outbox.put(mailMessage(template, { kind: 'code', lifetimeMs: CODE_MS }));
}

/** Sends a code at once. Rejects when it could not be handed over: then it must not be good for anything. */
export async function sendCode(
  outbox: Pick<Outbox, 'put'>,
  message: Omit<Message, 'kind' | 'lifetimeMs'>,
): Promise<void> {
  const { attempt } = await outbox.put({ ...message, kind: 'code', lifetimeMs: CODE_MS, once: true });
  if (!(await attempt)) throw new Error('The code could not be handed over');
}

/** As `sendCode`, by mail. */
export const mailCode = (outbox: Pick<Outbox, 'put'>, template: MailTemplate): Promise<void> =>
  sendCode(outbox, mailMessage(template, { kind: 'code', lifetimeMs: CODE_MS }));

/** News about an account, for the transaction that makes them; a client without an address gets none. */
export const newsMail = (clientId: number, subject: LocalizedText, paragraphs: readonly Paragraph[]): Message =>
  mailMessage({ to: { clientId }, subject, paragraphs }, { kind: 'account', lifetimeMs: NEWS_MS });

type Mailboxes = Pick<ClientStore, 'clientsById' | 'clientByEmail'>;

/** Clients by number; those that are asked for in one turn of the event loop are read together. */
function createLookup({ clientsById }: Mailboxes) {
  let asked: number[] = [];
  let answer: Promise<ReadonlyMap<number, ClientRow>> | undefined;

  async function readAsked(): Promise<ReadonlyMap<number, ClientRow>> {
    await nextTurn();
    const ids = asked;
    [asked, answer] = [[], undefined];
    return new Map((await clientsById(ids)).map((row) => [row.id, row]));
  }

  return async (id: number): Promise<ClientRow | undefined> => {
    asked.push(id);
    answer ??= readAsked();
    return (await answer).get(id);
  };
}

/** @returns where a mail goes, and the words by which its reader knows that it is ours */
export function createMailboxes(clients: Mailboxes) {
  const clientById = createLookup(clients);
  return async (to: MailTemplate['to']) => {
    const row = await (typeof to === 'string' ? clients.clientByEmail(emailKeyOf(to)) : clientById(to.clientId));
    if (!row?.email) return undefined;
    return { email: row.email, locale: row.locale, antiPhishingCode: row.anti_phishing_code };
  };
}
