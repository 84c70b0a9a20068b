/** A mail before it is written: texts of ours in no language yet, for a recipient who may be known by number alone. */
import type { Message } from './outbox.ts';
import type { LocalizedText } from './texts.ts';

export interface MailTemplate {
  /** An address, or a client, whose address and language are looked up when it is sent. */
  readonly to: string | { readonly clientId: number };
  /** The name of a locale; of a client, without it, the client's own. One that we don't have is English. */
  readonly locale?: string;
  readonly subject: LocalizedText;
  /** A text of ours, or words that a person wrote and that stay as they are. */
  readonly paragraphs: readonly (LocalizedText | { readonly words: string })[];
  /** A code, large and alone, after the first paragraph. */
  readonly code?: string;
}

/** A mail in the outbox. */
export function mailMessage(
  template: MailTemplate,
  about: Pick<Message, 'kind' | 'lifetimeMs' | 'once' | 'untilItExpires' | 'key'>,
): Message {
  const { to } = template;
  const recipient = typeof to === 'string' ? to : `client:${to.clientId}`;
  return { ...about, channel: 'mail', recipient, content: template };
}
