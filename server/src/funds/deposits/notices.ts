/** What clients are told of their deposits, written in the transaction that it is about. */
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Statement } from '../../platform/database.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import type { Platform } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Notices } from './crediting.ts';

interface Notice {
  readonly type: 'deposit';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

export interface Telling {
  /** For the transaction that a notice is about. */
  readonly noticeStatement: (clientId: number, notice: Notice) => Statement;
}

const MAIL_LIFETIME_MS = 2 * 86_400_000;

function noticeOf(what: 'credited' | 'reversed', funds: { amount: string; coin: string }): Notice {
  const path = '/wallet/deposit';
  if (what === 'credited') {
    const body = say('{{amount}} {{coin}} has arrived in your spot wallet.', funds);
    return { type: 'deposit', title: say('Deposit Success'), body, path };
  }
  const body = say('The network has removed your deposit of {{amount}} {{coin}}, so it was taken back.', funds);
  return { type: 'deposit', title: say('Deposit reversed'), body, path };
}

export function createNotices(
  { outbox, clock }: Pick<Platform, 'outbox' | 'clock'>,
  { noticeStatement }: Telling,
  assetById: (id: number) => Asset | undefined,
): Notices {
  return {
    of(what, { deposit: { id, owner, coin, asset, network }, amount }) {
      const funds = { amount: formatAmount(amount, assetById(asset)?.scale ?? 0), coin };
      const notice = noticeOf(what, funds);
      const mail = mailMessage(
        {
          to: { clientId: owner },
          subject:
            what === 'credited'
              ? say('Your deposit of {{amount}} {{coin}} has arrived', funds)
              : say('Your deposit of {{amount}} {{coin}} was reversed', funds),
          paragraphs: [notice.body, say('Network: {{network}}', { network })],
        },
        { kind: 'deposit', lifetimeMs: MAIL_LIFETIME_MS, key: `deposit:${id}:${what}:${clock.now()}` },
      );
      return [noticeStatement(owner, notice), outbox.statement(mail)];
    },
  };
}
