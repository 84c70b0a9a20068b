/** What the market maker trades with, provided once; a start tops up only what has fallen low. */
import { accountKey, Bucket, HOUSE_MAKER, HOUSE_TAKER, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import type { ExchangeView, Submission } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';

/** USDT worth of every coin, for each of its two accounts. */
const USDT_PER_COIN = 50_000_000n;
/** Parts of the full capital below which it is filled up again. */
const LOW = 4n;

/** Commands that bring the market maker's balances to where they should be; none on most starts. */
export function capitalCommands(
  catalogue: Catalogue,
  view: Pick<ExchangeView, 'balance'>,
  lastPrice: (market: number) => number,
): Submission[] {
  const targets = new Map<number, bigint>();
  let quoteTarget = 0n;
  for (const { spec, dailyTurnover } of catalogue.markets) {
    if (dailyTurnover === 0) continue;
    const price = BigInt(Math.max(1, lastPrice(spec.id)));
    const coins = (USDT_PER_COIN * 10n ** BigInt(spec.base.scale + spec.tickScale)) / price;
    targets.set(spec.base.id, coins);
    const quote = USDT_PER_COIN * 10n ** BigInt(spec.quote.scale);
    quoteTarget += quote;
    targets.set(spec.quote.id, quoteTarget);
  }
  const commands: Submission[] = [];
  for (const owner of [HOUSE_MAKER, HOUSE_TAKER]) {
    for (const [asset, target] of targets) {
      const has =
        view.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset)) +
        view.balance(accountKey(owner, Wallet.SPOT, Bucket.HELD, asset));
      if (has < target / LOW) commands.push(issue('house-capital', owner, asset, target - has));
    }
  }
  return commands;
}
