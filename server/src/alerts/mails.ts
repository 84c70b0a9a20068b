/** The mail of an alert, in the language that the client had when it was made. */
import { type Mail, writeLetter } from '../mail/service.ts';
import { say } from '../platform/texts.ts';

export interface AlertMail {
  readonly to: string;
  readonly locale: string;
  readonly above: boolean;
  readonly pair: string;
  readonly price: string;
  readonly fired: string;
  /** Ms since 1970. */
  readonly time: number;
  readonly note: string;
  readonly site: string;
}

export function alertMail({ to, locale, above, pair, price, fired, time: at, note, site }: AlertMail): Mail {
  const time = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const values = { pair, price, fired, time };
  const told = above
    ? say('{{pair}} traded at {{fired}}, at or above the {{price}} of your alert ({{time}}).', values)
    : say('{{pair}} traded at {{fired}}, at or below the {{price}} of your alert ({{time}}).', values);
  const why = say('You asked for this mail with a price alert on {{site}}. You can delete the alert there.', { site });
  const subject = say('{{pair}} is at {{fired}}', values);
  return writeLetter({ to, locale, subject, paragraphs: [told, ...(note === '' ? [] : [{ words: note }]), why] });
}
