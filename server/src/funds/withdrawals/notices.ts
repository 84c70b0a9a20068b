/** What clients are told of their withdrawals, written in the transaction that it is about. */
import { formatBriefly } from '@cambist/core/money/amount.ts';
import type { Statement } from '../../platform/database.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import type { Platform } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import { familyOf, shownAddress } from '../chains/service.ts';
import type { Said, Withdrawal } from './store.ts';

export type What = 'requested' | 'completed' | 'refused' | 'failed' | 'cancelled';

interface Notice {
  readonly clientId: number;
  readonly type: 'withdrawal' | 'deposit';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

export interface Telling {
  /** For the transaction that the notices are about. */
  readonly noticeStatement: (notices: readonly Notice[]) => Statement;
}

export interface Notices {
  /** For the transaction that brings a withdrawal there. */
  of(what: What, withdrawal: Withdrawal, reason?: Said): readonly Statement[];
}

const MAIL_LIFETIME_MS = 2 * 86_400_000;
const PATH = '/wallet/withdraw';

interface Funds extends Record<string, string> {
  readonly amount: string;
  readonly coin: string;
  readonly address: string;
  readonly network: string;
}

interface Texts {
  /** Of the notice; absent where the page itself says it. */
  readonly title?: LocalizedText;
  /** Of the mail. */
  readonly subject: LocalizedText;
  readonly body: LocalizedText;
}

const texts: Readonly<Record<What, (funds: Funds) => Texts>> = {
  requested: (funds) => ({
    subject: say('You have requested a withdrawal of {{amount}} {{coin}}', funds),
    body: say('{{amount}} {{coin}} will be sent to {{address}} by {{network}}.', funds),
  }),
  completed: (funds) => ({
    title: say('Withdrawal completed'),
    subject: say('Your withdrawal of {{amount}} {{coin}} is complete', funds),
    body: say('{{amount}} {{coin}} has arrived at {{address}} by {{network}}.', funds),
  }),
  refused: (funds) => ({
    title: say('Withdrawal refused'),
    subject: say('Your withdrawal of {{amount}} {{coin}} was refused', funds),
    body: say('We have not sent your withdrawal. {{amount}} {{coin}} is back in your spot wallet.', funds),
  }),
  failed: (funds) => ({
    title: say('Withdrawal failed'),
    subject: say('Your withdrawal of {{amount}} {{coin}} has failed', funds),
    body: say('Your withdrawal could not be sent. {{amount}} {{coin}} is back in your spot wallet.', funds),
  }),
  cancelled: (funds) => ({
    title: say('Withdrawal cancelled'),
    subject: say('Your withdrawal of {{amount}} {{coin}} was cancelled', funds),
    body: say('You have cancelled a withdrawal. {{amount}} {{coin}} is back in your spot wallet.', funds),
  }),
};

/** For who has not asked for it. */
const notMe = say(
  "If this wasn't you, cancel it in your withdrawal history, log out all devices in the security center, change your password and contact us.",
);

const arrived = (clientId: number, funds: Funds): Notice => ({
  ...{ clientId, type: 'deposit', path: '/wallet?tab=spot', title: say('Deposit Success') },
  body: say('{{amount}} {{coin}} has arrived in your spot wallet.', { amount: funds.amount, coin: funds.coin }),
});

export function createNotices(
  { outbox }: Pick<Platform, 'outbox'>,
  { noticeStatement }: Telling,
  scaleOf: (asset: number) => number,
): Notices {
  function fundsOf({ amount, fee, asset, coin, network, address }: Withdrawal, what: What): Funds {
    // What arrives is less the fee; what comes back is all of it.
    const isSent = what === 'requested' || what === 'completed';
    const shown = formatBriefly(isSent ? amount - fee : amount, scaleOf(asset));
    return { amount: shown, coin, network, address: shownAddress(familyOf(network), address) };
  }

  return {
    of(what, withdrawal, reason) {
      const { id, owner, receiver } = withdrawal;
      const funds = fundsOf(withdrawal, what);
      const { title, subject, body } = texts[what](funds);
      const paragraphs = [body, ...(reason === undefined ? [] : [reason]), ...(what === 'requested' ? [notMe] : [])];
      const about = { kind: 'withdrawal', lifetimeMs: MAIL_LIFETIME_MS, key: `withdrawal:${id}:${what}` };
      const notices: Notice[] = title ? [{ clientId: owner, type: 'withdrawal', title, body, path: PATH }] : [];
      if (what === 'completed' && receiver !== null) notices.push(arrived(receiver, funds));
      return [
        ...(notices.length === 0 ? [] : [noticeStatement(notices)]),
        outbox.statement(mailMessage({ to: { clientId: owner }, subject, paragraphs }, about)),
      ];
    },
  };
}
