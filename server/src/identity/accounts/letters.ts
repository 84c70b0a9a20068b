/** Mails to a client by his number, and the anti-phishing code in every mail that goes to a client's address. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import { localeOf } from '@cambist/contract/locales.ts';
import { type Mailer, type Post, writeLetter } from '../../people/mail/service.ts';
import { inLanguage, type Said, say } from '../../platform/texts.ts';
import type { ClientStore } from './client-store.ts';

type Paragraph = Said | { readonly words: string };

/** Mails a client; one without an address gets none. What it is about neither waits for the mail nor fails with it. */
export type TellPerson = (clientId: number, subject: Said, paragraphs: readonly Paragraph[]) => Promise<void>;

/** A mailer that adds the words by which a person knows that a mail is ours. */
export function withAntiPhishing<M extends Mailer>(mailer: M, clients: Pick<ClientStore, 'clientByEmail'>): M {
  return {
    ...mailer,
    async send(mail) {
      const client = await clients.clientByEmail(emailKeyOf(mail.to));
      if (!client?.anti_phishing_code) return mailer.send(mail);
      const line = inLanguage(
        say('Your anti-phishing code: {{code}}', { code: client.anti_phishing_code }),
        localeOf(client.locale),
      );
      // Letters and digits alone, by the rule of the code: nothing to escape.
      return mailer.send({ ...mail, text: `${line}\n\n${mail.text}`, html: `<p><b>${line}</b></p>${mail.html}` });
    },
  };
}

export function createTellPerson(deps: {
  readonly post: Pick<Post, 'send'>;
  readonly clients: Pick<ClientStore, 'clientById'>;
}): TellPerson {
  return async (clientId, subject, paragraphs) => {
    const client = await deps.clients.clientById(clientId);
    if (!client?.email) return;
    deps.post.send(writeLetter({ to: client.email, locale: client.locale, subject, paragraphs }));
  };
}
