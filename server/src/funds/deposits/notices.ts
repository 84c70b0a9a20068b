/** What clients are told of their deposits, written in the transaction that it is about. */
import { formatBriefly } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Statement } from '../../platform/database.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import type { Message } from '../../platform/outbox.ts';
import type { Platform } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Notices, Told } from './crediting.ts';

type What = Parameters<Notices['of']>[0];

interface Notice {
  readonly clientId: number;
  readonly type: 'deposit';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

export interface Telling {
  /** For the transaction that the notices are about. */
  readonly noticeStatement: (notices: readonly Notice[]) => Statement;
}

const MAIL_LIFETIME_MS = 2 * 86_400_000;

function noticeOf(what: What, clientId: number, funds: { amount: string; coin: string }): Notice {
  const facts = { clientId, type: 'deposit', path: '/wallet/deposit' } as const;
  if (what === 'credited') {
    const body = say('{{amount}} {{coin}} has arrived in your spot wallet.', funds);
    return { ...facts, title: say('Deposit Success'), body };
  }
  const body = say('The network has removed your deposit of {{amount}} {{coin}}, so it was taken back.', funds);
  return { ...facts, title: say('Deposit reversed'), body };
}

export function createNotices(
  { outbox, clock }: Pick<Platform, 'outbox' | 'clock'>,
  { noticeStatement }: Telling,
  assetById: (id: number) => Asset | undefined,
): Notices {
  const fundsOf = ({ deposit: { asset, coin }, amount }: Told) => ({
    amount: formatBriefly(amount, assetById(asset)?.scale ?? 0),
    coin,
  });

  function mailOf(what: What, told: Told): Message {
    const { id, owner, network } = told.deposit;
    const funds = fundsOf(told);
    const subject =
      what === 'credited'
        ? say('Your deposit of {{amount}} {{coin}} has arrived', funds)
        : say('Your deposit of {{amount}} {{coin}} was reversed', funds);
    const paragraphs = [noticeOf(what, owner, funds).body, say('Network: {{network}}', { network })];
    const about = { kind: 'deposit', lifetimeMs: MAIL_LIFETIME_MS, key: `deposit:${id}:${what}:${clock.now()}` };
    return mailMessage({ to: { clientId: owner }, subject, paragraphs }, about);
  }

  return {
    of: (what, all) => [
      noticeStatement(all.map((told) => noticeOf(what, told.deposit.owner, fundsOf(told)))),
      outbox.statement(...all.map((told) => mailOf(what, told))),
    ],
  };
}
