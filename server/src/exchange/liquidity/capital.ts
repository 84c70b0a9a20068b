/** What the market maker trades with, and what insures perpetuals, provided once; a start tops up only what has fallen low. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import type { Transfer } from '@cambist/core/ledger/transfer.ts';
import type { ExchangeView, Submission } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';

/** USDT worth of every coin, and for every market, for each of its accounts. */
const USDT_PER_COIN = 50_000_000n;
/** Parts of the full capital below which it is filled up again. */
const LOW = 4n;
/** So low that its positions may grow large. */
const HOUSE_LEVERAGE = 2;

type View = Pick<ExchangeView, 'balance'>;

function move(reason: Transfer['reason'], reference: number, leg: Transfer['legs'][number]): Transfer {
  return { kind: 'transfer', transferId: 0, reason, reference, isPending: false, legs: [leg], detail: '' };
}

/** By asset, in smallest units. */
function spotTargets(catalogue: Catalogue, bandPrice: (market: number) => number): ReadonlyMap<number, bigint> {
  const targets = new Map<number, bigint>();
  let quoteTarget = 0n;
  for (const { spec, dailyTurnover } of catalogue.markets) {
    if (dailyTurnover === 0) continue;
    const price = BigInt(Math.max(1, bandPrice(spec.id)));
    const coins = (USDT_PER_COIN * 10n ** BigInt(spec.base.scale + spec.tickScale)) / price;
    targets.set(spec.base.id, coins);
    const quote = USDT_PER_COIN * 10n ** BigInt(spec.quote.scale);
    quoteTarget += quote;
    targets.set(spec.quote.id, quoteTarget);
  }
  return targets;
}

/** By settlement asset, in smallest units. */
function futureTargets({ perpetuals }: Catalogue): ReadonlyMap<number, bigint> {
  const targets = new Map<number, bigint>();
  for (const { spec, dailyTurnover } of perpetuals) {
    if (dailyTurnover === 0) continue;
    const capital = USDT_PER_COIN * 10n ** BigInt(spec.quote.scale);
    targets.set(spec.quote.id, (targets.get(spec.quote.id) ?? 0n) + capital);
  }
  return targets;
}

/** Capital comes to the spot wallet, and goes from there to the futures wallet. */
function futureCapital(owner: number, asset: number, amount: bigint): Submission[] {
  const account = (wallet: Wallet) => accountKey(owner, wallet, Bucket.AVAILABLE, asset);
  const leg = { from: account(Wallet.SPOT), to: account(Wallet.FUTURE), amount };
  return [issue('house-capital', owner, asset, amount), move('wallet-transfer', owner, leg)];
}

function insuranceCommands({ perpetuals }: Catalogue, view: View, insured: bigint): Submission[] {
  const assets = new Map(perpetuals.map(({ spec: { quote } }) => [quote.id, quote]));
  return [...assets.values()].flatMap(({ id, scale }): Submission[] => {
    const account = (owner: SystemOwner) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, id);
    const to = account(SystemOwner.INSURANCE);
    const [has, target] = [view.balance(to), insured * 10n ** BigInt(scale)];
    if (target === 0n || has >= target / LOW) return [];
    const leg = { from: account(SystemOwner.HOUSE_CAPITAL), to, amount: target - has };
    return [move('insurance-capital', 0, leg)];
  });
}

/**
 * Commands that bring the market maker's balances and the insurance to where they should be; none on most starts.
 * @param owners its accounts
 * @param insured of each settlement asset, in whole units; 0n leaves the insurance as it is
 */
export function capitalCommands(
  catalogue: Catalogue,
  view: View,
  bandPrice: (market: number) => number,
  owners: readonly number[],
  insured: bigint,
): Submission[] {
  const commands = insuranceCommands(catalogue, view, insured);
  const [spot, future] = [spotTargets(catalogue, bandPrice), futureTargets(catalogue)];
  for (const owner of owners) {
    const has = (wallet: Wallet, asset: number) =>
      view.balance(accountKey(owner, wallet, Bucket.AVAILABLE, asset)) +
      view.balance(accountKey(owner, wallet, Bucket.HELD, asset));
    const missing = (wallet: Wallet, asset: number, target: bigint) => {
      const found = has(wallet, asset);
      return found < target / LOW ? target - found : 0n;
    };
    for (const [asset, target] of spot) {
      const amount = missing(Wallet.SPOT, asset, target);
      if (amount > 0n) commands.push(issue('house-capital', owner, asset, amount));
    }
    for (const [asset, target] of future) {
      const amount = missing(Wallet.FUTURE, asset, target);
      if (amount > 0n) commands.push(...futureCapital(owner, asset, amount));
    }
  }
  return commands;
}

/** Commands that give the market maker its leverage where it has not chosen it; refused, and left, where orders are open. */
export function leverageCommands(
  { perpetuals }: Catalogue,
  view: Pick<ExchangeView, 'positionsOf'>,
  owners: readonly number[],
): Submission[] {
  return owners.flatMap((owner) => {
    const chosen = new Set(view.positionsOf(owner).map(({ market }) => market));
    return perpetuals
      .filter(({ spec }) => !chosen.has(spec.id))
      .map(({ spec }) => {
        const terms = { market: spec.id, leverage: HOUSE_LEVERAGE, isIsolated: false };
        return { kind: 'set-leverage' as const, owner, ...terms };
      });
  });
}
