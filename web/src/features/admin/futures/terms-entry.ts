/** Terms of a perpetual as an operator enters them, and what the server says about a field of them. */
import type { changePerpetualTerms } from '@cambist/contract/admin-futures.ts';
import type { BodyOf } from '@cambist/contract/call.ts';
import type { PerpetualTermsOut } from '@cambist/contract/perpetuals.ts';
import { useState } from 'react';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { refusedText } from '../../../lib/typed-number.ts';

type Change = BodyOf<typeof changePerpetualTerms>;
export type TermsEntry = Omit<Change, 'accept_liquidations' | 'cancel_orders' | 'reason'>;
export type TierEntry = TermsEntry['tiers'][number];

const HOURS = [1, 4, 8] as const;
const short = (value: string) => toShortText(decimal(value));

/** Without the zeros that say nothing. */
export function entryOf({ tiers, funding, ...terms }: PerpetualTermsOut): TermsEntry {
  const { interest_percent, damp_percent, cap_percent, impact_value } = funding;
  return {
    maker_fee_percent: short(terms.maker_fee_percent),
    taker_fee_percent: short(terms.taker_fee_percent),
    mark_clamp_percent: short(terms.mark_clamp_percent),
    tiers: tiers.map((tier) => ({
      maximum_value: short(tier.maximum_value),
      maximum_leverage: tier.maximum_leverage,
      maintenance_percent: short(tier.maintenance_percent),
    })),
    funding: {
      interval_hours: HOURS.find((hours) => hours === funding.interval_hours) ?? 8,
      interest_percent: short(interest_percent),
      damp_percent: short(damp_percent),
      cap_percent: short(cap_percent),
      impact_value: short(impact_value),
    },
  };
}

/** The next tier, for twice the value at half the leverage and twice the maintenance: a beginning that is valid. */
function tierAfter(tier: TierEntry): TierEntry {
  const doubled = (value: string) => {
    const { units, scale } = decimal(value);
    return toShortText({ units: units * 2n, scale });
  };
  return {
    maximum_value: doubled(tier.maximum_value),
    maximum_leverage: Math.max(1, Math.floor(tier.maximum_leverage / 2)),
    maintenance_percent: doubled(tier.maintenance_percent),
  };
}

const textsOf = ({ tiers, funding, ...fees }: TermsEntry): readonly unknown[] => [
  ...Object.values(fees),
  ...Object.values({ ...funding, interest_percent: funding.interest_percent.replace(/^-/, '') }),
  ...tiers.flatMap((tier) => Object.values(tier)),
];

/** The entry of the form and its fields, by the names that the server gives them. */
export function useTerms(initial: TermsEntry, onChange: () => void) {
  const [entry, setEntry] = useState(initial);
  const [error, setError] = useState<Error | null>(null);
  // What a tier is called while its place changes.
  const [keys, setKeys] = useState(initial.tiers.map((_, index) => index));
  const problemOf = (field: string) => (error instanceof ApiProblem ? error.fields.get(field) : undefined);
  const change = (values: Partial<TermsEntry>) => {
    setEntry({ ...entry, ...values });
    setError(null);
    onChange();
  };
  const setTier = (index: number, values: Partial<TierEntry>) =>
    change({ tiers: entry.tiers.map((tier, at) => (at === index ? { ...tier, ...values } : tier)) });
  const addTier = () => {
    setKeys([...keys, Math.max(...keys) + 1]);
    change({ tiers: [...entry.tiers, tierAfter(entry.tiers.at(-1)!)] });
  };
  const removeTier = (index: number) => {
    setKeys(keys.filter((_, at) => at !== index));
    change({ tiers: entry.tiers.filter((_, at) => at !== index) });
  };
  return {
    ...{ entry, change, setTier, addTier, removeTier, setError, problemOf },
    keyOf: (index: number) => keys[index],
    fee: (name: 'maker_fee_percent' | 'taker_fee_percent' | 'mark_clamp_percent') => ({
      value: entry[name],
      error: problemOf(name),
      onChange: (value: string) => change({ [name]: value }),
    }),
    funding: (name: 'damp_percent' | 'cap_percent' | 'impact_value') => ({
      value: entry.funding[name],
      error: problemOf(`funding.${name}`),
      onChange: (value: string) => change({ funding: { ...entry.funding, [name]: value } }),
    }),
    interest: {
      isReceived: entry.funding.interest_percent.startsWith('-'),
      value: entry.funding.interest_percent.replace(/^-/, ''),
      error: problemOf('funding.interest_percent'),
      set: (value: string, isReceived: boolean) =>
        change({ funding: { ...entry.funding, interest_percent: isReceived ? `-${value}` : value } }),
    },
    tier: (index: number, name: 'maximum_value' | 'maintenance_percent') => ({
      value: entry.tiers[index]?.[name] ?? '',
      error: problemOf(`tiers.${index}.${name}`),
      onChange: (value: string) => setTier(index, { [name]: value }),
    }),
    isReadable: textsOf(entry).every((value) => typeof value !== 'string' || refusedText(value) === undefined),
  };
}

export type TermsForm = ReturnType<typeof useTerms>;
