/** What a client may withdraw: of each coin, and within which limits; and whether an operator looks at it first. */
import { formatAmount, formatBriefly } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Worth } from '../../exchange/liquidity/service.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Inspected, WithdrawalError } from './inspection.ts';
import { figureUnits } from './inspection.ts';
import type { WithdrawalLedger } from './ledger.ts';
import type { PolicyStore } from './policy-store.ts';
import type { Judgement } from './proofs.ts';
import { approvalsFor, MEDIAN_OF, reviewReasons, withdrawableOf } from './rules.ts';
import { DAY_MS, HOUR_MS, type LimitName, type Limits } from './stage-store.ts';
import type { Withdrawal, WithdrawalStore } from './store.ts';

export interface FundingDeps {
  readonly store: Pick<WithdrawalStore, 'usedSince' | 'oldestSince' | 'countSince' | 'settledWorths'>;
  readonly policies: Pick<PolicyStore, 'policy'>;
  readonly ledger: Pick<WithdrawalLedger, 'available' | 'holdings'>;
  /** What was credited and may not leave yet, by asset. */
  readonly locked: (owner: number) => Promise<ReadonlyMap<number, bigint>>;
  readonly worth: Worth;
  readonly quote: Asset;
  /** USDT in 24 hours, by the client's level. */
  readonly dayLimitUsdt: (clientId: number) => Promise<number>;
  readonly ownLimitUsdt: (clientId: number) => Promise<number | null>;
  /** Whether the session's browser was first seen after a moment, while the client had others before. */
  readonly isOfNewDevice: (clientId: number, sessionId: number, since: number) => Promise<boolean>;
  readonly assetById: (id: number) => Asset | undefined;
  readonly clock: { now(): number };
}

/** Each coin's units that are held beyond what is locked; below zero where locked ones were traded away. */
function spareUnits(holdings: Iterable<readonly [number, bigint]>, locked: ReadonlyMap<number, bigint>) {
  const spare = new Map(holdings);
  for (const [asset, units] of locked) spare.set(asset, (spare.get(asset) ?? 0n) - units);
  return spare;
}

/** At the highest prices; undefined where a coin has none. */
function worthOfMissing(spare: ReadonlyMap<number, bigint>, worth: Worth): bigint | undefined {
  const worths = [...spare].filter(([, units]) => units < 0n).map(([asset, units]) => worth.highest(asset, -units));
  return worths.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0n);
}

function createWithdrawable({ ledger, locked, worth }: FundingDeps) {
  /** Of several coins, in their order, in one look. */
  return async (owner: number, assets: readonly number[]) => {
    // The balances first: a deposit that is credited meanwhile is locked in the answer and not yet available.
    const available = assets.map((asset) => ledger.available(owner, asset));
    const holdings = ledger.holdings(owner);
    const kept = await locked(owner);
    if (kept.size === 0)
      return assets.map((asset, at) => ({ asset, available: available[at]!, withdrawable: available[at]! }));
    const spare = spareUnits(holdings, kept);
    const missingWorth = worthOfMissing(spare, worth);
    const spareWorths = new Map(
      [...spare].map(([asset, units]) => [asset, units > 0n ? (worth.lowest(asset, units) ?? 0n) : 0n]),
    );
    const allSpareWorth = [...spareWorths.values()].reduce((sum, one) => sum + one, 0n);
    return assets.map((asset, at) => {
      const has = available[at]!;
      const lockedUnits = kept.get(asset) ?? 0n;
      const spareWorth = spareWorths.get(asset) ?? 0n;
      const withdrawable = withdrawableOf({
        available: has,
        held: (spare.get(asset) ?? 0n) + lockedUnits,
        locked: lockedUnits,
        missingWorth,
        otherSpareWorth: allSpareWorth - spareWorth,
        spareWorth,
      });
      return { asset, available: has, withdrawable };
    });
  };
}

/** What has left or is about to, and what may. */
function createSums(deps: FundingDeps) {
  const { store, policies, quote, clock } = deps;
  const usdt = (amount: number) => BigInt(amount) * 10n ** BigInt(quote.scale);
  const shown = (units: bigint) => formatAmount(units, quote.scale);
  const used = (owner: number) => store.usedSince(owner, clock.now() - DAY_MS);
  /** When the oldest of what is used counts no longer; null while nothing is. */
  async function freesAt(owner: number): Promise<number | null> {
    const oldest = await store.oldestSince(owner, clock.now() - DAY_MS);
    return oldest === null ? null : oldest + DAY_MS;
  }
  const recent = (owner: number) => store.countSince(owner, clock.now() - HOUR_MS);

  async function limitsOf(owner: number, { ownLimitUsdt, oneStepUsdt }: Judgement): Promise<Limits> {
    const { hourly_count: count } = await policies.policy();
    return {
      day: usdt(await deps.dayLimitUsdt(owner)),
      own: ownLimitUsdt === null ? null : usdt(ownLimitUsdt),
      unproven: oneStepUsdt === 0 ? null : usdt(oneStepUsdt),
      count,
    };
  }

  return {
    ...{ usdt, shown, used, freesAt, recent, limitsOf },

    /** As the transaction that writes it would find. */
    async exceeded(owner: number, worth: bigint, { day, own, count }: Limits): Promise<LimitName | undefined> {
      const [before, recently] = [await used(owner), await recent(owner)];
      if (recently >= count) return 'hourly';
      if (before + worth > day) return 'day';
      return own !== null && before + worth > own ? 'own' : undefined;
    },

    async limitError(owner: number, limit: LimitName): Promise<WithdrawalError> {
      // Two at once were more than need no code: each needs one.
      if (limit === 'one-step') return { kind: 'wrong-code' };
      if (limit === 'hourly') {
        const { hourly_count: most } = await policies.policy();
        return { kind: 'limit', limit, most: String(most), used: '' };
      }
      const most = limit === 'day' ? await deps.dayLimitUsdt(owner) : ((await deps.ownLimitUsdt(owner)) ?? 0);
      return { kind: 'limit', limit, most: String(most), used: formatBriefly(await used(owner), quote.scale) };
    },
  };
}

export function createFunding(deps: FundingDeps) {
  const { store, policies, worth: worthOf, quote, clock } = deps;
  const withdrawable = createWithdrawable(deps);
  const sums = createSums(deps);
  const { usdt, used, freesAt, shown, recent, limitsOf, exceeded, limitError } = sums;

  async function balanceError({ owner, asset }: Pick<Withdrawal, 'owner' | 'asset'>): Promise<WithdrawalError> {
    const [coin] = await withdrawable(owner, [asset]);
    const scale = deps.assetById(asset)?.scale ?? 0;
    return { kind: 'insufficient', balance: formatAmount(coin?.withdrawable ?? 0n, scale) };
  }

  return {
    ...{ withdrawable, used, freesAt, shown, balanceError, exceeded, limitError },

    /** Whether there is less than is asked for. */
    async shortage(owner: number, { asset, amount }: Inspected): Promise<WithdrawalError | undefined> {
      const [coin] = await withdrawable(owner, [asset.id]);
      return coin !== undefined && amount <= coin.withdrawable ? undefined : balanceError({ owner, asset: asset.id });
    },

    async isOneStep(owner: number, { asset, amount }: Inspected, oneStepUsdt: number): Promise<boolean> {
      const worth = worthOf.highest(asset.id, amount);
      return (
        worth !== undefined &&
        worth > 0n &&
        worthOf.isTrusted(asset.id) &&
        (await used(owner)) + worth <= usdt(oneStepUsdt)
      );
    },

    /** What it may not exceed, and why an operator looks at it. */
    async judge(
      by: Pick<Identity, 'clientId'> & { readonly sessionId: number | null },
      inspected: Inspected,
      judged: Judgement,
    ) {
      const { clientId: owner, sessionId } = by;
      const [policy, limits, before, settled, count] = await Promise.all([
        policies.policy(),
        limitsOf(owner, judged),
        used(owner),
        store.settledWorths(owner, MEDIAN_OF),
        recent(owner),
      ]);
      const worth = worthOf.highest(inspected.asset.id, inspected.amount);
      const since = clock.now() - DAY_MS;
      const reasons = reviewReasons({
        worth,
        isPriceTrusted: worthOf.isTrusted(inspected.asset.id),
        used: before,
        approval: figureUnits(policy.approval_usdt, quote),
        fourEyes: figureUnits(policy.four_eyes_usdt, quote),
        medianFactor: policy.median_factor,
        settled,
        isNewDevice: sessionId !== null && (await deps.isOfNewDevice(owner, sessionId, since)),
        isNewAddress: judged.isNewAddress,
        hasFactor: judged.hasFactor,
        recent: count,
        hourlyCount: policy.hourly_count,
      });
      return { worth: worth ?? 0n, limits, reasons, approvalsRequired: approvalsFor(reasons) };
    },
  };
}

export type Funding = ReturnType<typeof createFunding>;
