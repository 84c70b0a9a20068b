/** The mails of alerts, in the language that the client had when the alert was made: one recipient never holds up others. */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { type Mail, type Mailer, writeLetter } from '../../people/mail/service.ts';
import type { Logger } from '../../platform/logger.ts';
import { say } from '../../platform/texts.ts';
import type { AlertStore, DueMail } from './store.ts';

interface AlertMail {
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

function alertMail({ to, locale, above, pair, price, fired, time: at, note, site }: AlertMail): Mail {
  const time = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const values = { pair, price, fired, time };
  const told = above
    ? say('{{pair}} traded at {{fired}}, at or above the {{price}} of your alert ({{time}}).', values)
    : say('{{pair}} traded at {{fired}}, at or below the {{price}} of your alert ({{time}}).', values);
  const why = say('You asked for this mail with a price alert on {{site}}. You can delete the alert there.', { site });
  const subject = say('{{pair}} is at {{fired}}', values);
  return writeLetter({ to, locale, subject, paragraphs: [told, ...(note === '' ? [] : [{ words: note }]), why] });
}

export interface AlertMailDeps {
  readonly store: Pick<AlertStore, 'dueMails' | 'mailed' | 'putOff'>;
  readonly markets: { byId(id: number): MarketSpec };
  readonly mailer: Pick<Mailer, 'send'>;
  readonly siteName: string;
  /** What is older is not sent any more. */
  readonly lifetimeMs: number;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Recipients that are served at once. */
const AT_ONCE = 5;
const ATTEMPTS = 8;
/** After the first failure; it doubles with each further one. */
const PUT_OFF_MS = 60_000;

export function createAlertMails(deps: AlertMailDeps) {
  const { store, mailer, clock, logger } = deps;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isClosed = false;

  function mailOf(due: DueMail): Mail {
    const market = deps.markets.byId(due.market);
    const [price, fired] = [formatTicks(due.price, market), formatTicks(due.fired_price, market)];
    const { email: to, locale, above, note, fired_at: time } = due;
    return alertMail({ to, locale, above, pair: market.symbol, price, fired, time, note, site: deps.siteName });
  }

  /** @returns whether the next mail of the same client may be tried */
  async function sendOne(due: DueMail): Promise<boolean> {
    const attempts = due.mail_attempts + 1;
    try {
      await mailer.send(mailOf(due));
    } catch (error) {
      const isGivenUp = attempts >= ATTEMPTS;
      logger.warn({ err: error, firing: due.id, attempts, isGivenUp }, 'The mail of an alert could not be sent');
      if (isGivenUp) await store.mailed(due.id);
      await store.putOff(due, clock.now() + PUT_OFF_MS * 2 ** (attempts - 1));
      return false;
    }
    await store.mailed(due.id);
    return true;
  }

  async function sendTo(mails: readonly DueMail[]): Promise<void> {
    for (const due of mails) if (isClosed || !(await sendOne(due))) return;
  }

  /** Until nothing is due: what was tried is sent, put off or given up, so this ends. */
  async function sendAll(): Promise<void> {
    do {
      isAskedAgain = false;
      const now = clock.now();
      const due = await store.dueMails(now, now - deps.lifetimeMs);
      const recipients = [...Map.groupBy(due, ({ client_id }) => client_id).values()];
      const serve = async () => {
        for (let next = recipients.shift(); next !== undefined; next = recipients.shift()) await sendTo(next);
      };
      const served = await Promise.allSettled(Array.from({ length: AT_ONCE }, serve));
      for (const one of served) if (one.status === 'rejected') throw one.reason;
      isAskedAgain ||= due.length > 0;
    } while (isAskedAgain && !isClosed);
  }

  return {
    /** One run at a time, so that no mail is sent twice. Resolves once nothing is due. */
    sendDue(): Promise<void> {
      isAskedAgain = true;
      running ??= sendAll()
        .catch((err: unknown) => logger.warn({ err }, 'The mails of alerts could not be read; they are tried again'))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    async close(): Promise<void> {
      isClosed = true;
      await running;
    },
  };
}
