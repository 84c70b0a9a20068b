/** Development only: the mailbox and the faucet. */
import { faucet, outbox, smsOutbox } from '@cambist/contract/development.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { formatAmount, formatBriefly, parseAmount } from '@cambist/core/money/amount.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { WalletService } from '../../funds/overview/service.ts';
import type { MailOutbox } from '../../people/mail/service.ts';
import type { Notifications } from '../../people/notifications/service.ts';
import type { SmsOutbox } from '../../people/sms/service.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';

export interface DevelopmentDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly wallets: WalletService;
  /** Undefined where mail goes out by SMTP. */
  readonly mailOutbox: MailOutbox | undefined;
  /** Undefined where text messages go out by a gateway. */
  readonly smsOutbox: SmsOutbox | undefined;
  readonly tell: Notifications['tell'];
}

/** One call credits at most a billion coins: enough to play, and far from what an account can hold. */
const MAXIMUM_COINS = 1_000_000_000n;

export function serveDevelopment(calls: CallServer, deps: DevelopmentDeps): void {
  const { engine, wallets } = deps;
  if (deps.mailOutbox !== undefined) {
    const { messages } = deps.mailOutbox;
    calls.serve(outbox, ({ query }) => ({ messages: messages(query.to) }));
  }

  if (deps.smsOutbox !== undefined) {
    const { messages } = deps.smsOutbox;
    calls.serve(smsOutbox, ({ query }) => ({ messages: messages(query.to) }));
  }

  calls.serve(faucet, async ({ identity, body }) => {
    const info = wallets.assetByCode(body.coin);
    if (info === undefined)
      return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: body.coin }));
    const { id: asset, scale, code } = info.asset;
    const amount = parseAmount(body.amount, scale);
    if (!amount.ok)
      return new Refusal(
        422,
        amount.error,
        say('Use a plain decimal with at most {{scale}} places', { scale }, 'amount'),
      );
    if (amount.value === 0n || amount.value > MAXIMUM_COINS * 10n ** BigInt(scale)) {
      return new Refusal(
        422,
        'INVALID_AMOUNT',
        say('Use an amount above zero, and at most a billion coins at once', {}, 'amount'),
      );
    }
    const owner = identity.clientId;
    const { outcome } = await engine.sequencer.submit(issue('development-credit', owner, asset, amount.value));
    if (!outcome.ok) return new Refusal(422, outcome.reason, 'The account cannot take this amount.');
    const balance = engine.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
    await engine.sequencer.settled();
    const funds = { amount: formatBriefly(amount.value, scale), coin: code };
    await deps.tell(owner, {
      type: 'deposit',
      title: say('Deposit Success'),
      body: say('{{amount}} {{coin}} has arrived in your spot wallet.', funds),
      path: '/wallet',
    });
    return { message: 'success' as const, coin: code, wallet_balance: formatAmount(balance, scale) };
  });
}
