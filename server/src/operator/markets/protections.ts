/** What of a pair protects its clients: its price band and largest order, and of a perpetual its tiers, clamp and cap. */
import type { PerpetualSpec, RiskTier } from '@cambist/core/money/market.ts';
import { describeTerms, type PerpetualMarket } from '../../exchange/futures/service.ts';
import type { Figures } from '../../identity/operators/service.ts';
import type { LimitsInput } from './terms.ts';

export const LIMIT_NAMES = ['price_band_percent', 'maximum_quantity'] as const;
type Name = (typeof LIMIT_NAMES)[number];

/** A band of 0 is none. */
const width = (name: Name, text: string) =>
  name === 'price_band_percent' && Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text);

/** @returns the limits that hold at once, and those that wait */
export function separateLimits(before: LimitsInput, after: LimitsInput) {
  const loose = LIMIT_NAMES.filter((name) => width(name, after[name]) > width(name, before[name]));
  const kept = Object.fromEntries(loose.map((name) => [name, before[name]]));
  const waiting = Object.fromEntries(loose.map((name) => [name, after[name]])) as Partial<LimitsInput>;
  return { tight: { ...after, ...kept }, loose: waiting };
}

/** The tier that holds for positions of a value; the last one's value is the largest position. */
const tierAt = (tiers: readonly RiskTier[], value: bigint) => tiers.find((tier) => value <= tier.maximumNotional);

/** Whether at any value more leverage, less maintenance or a larger position is allowed, the mark is freer, or funding costs more. */
export function areLooser(before: PerpetualSpec, after: PerpetualSpec): boolean {
  const values = [...before.tiers, ...after.tiers].map(({ maximumNotional }) => maximumNotional);
  const isTierLooser = values.some((value) => {
    const [was, is] = [tierAt(before.tiers, value), tierAt(after.tiers, value)];
    if (is === undefined) return false;
    if (was === undefined) return true;
    return is.maximumLeverage > was.maximumLeverage || is.maintenancePpm < was.maintenancePpm;
  });
  return isTierLooser || after.markClampPpm > before.markClampPpm || after.funding.capPpb > before.funding.capPpb;
}

export function protectionsOf(market: PerpetualMarket): Figures {
  const { tiers, mark_clamp_percent, funding } = describeTerms(market);
  const texts = tiers.map(
    ({ maximum_value, maximum_leverage, maintenance_percent }) =>
      `${maximum_value} USDT x${maximum_leverage} ${maintenance_percent}%`,
  );
  return { tiers: texts.join('; '), mark_clamp_percent, cap_percent: funding.cap_percent };
}

export const limitFigures = (names: readonly Name[], limits: object): Figures =>
  Object.fromEntries(names.map((name) => [name, (limits as Record<string, string>)[name] ?? null]));
