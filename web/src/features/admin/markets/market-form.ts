/** What an operator has entered about a pair, and what is asked of every act: why. */
import type { adminMarket } from '@cambist/contract/admin-markets.ts';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { refusedText } from '../../../lib/typed-number.ts';

/** Decimals of a percentage. */
export const PERCENT_SCALE = 4;

export type AdminMarket = z.infer<typeof adminMarket>;

export interface LimitsEntry {
  readonly minimum_quantity: string;
  readonly maximum_quantity: string;
  readonly minimum_value: string;
  readonly price_band_percent: string;
  readonly reason: string;
}

export interface ListingEntry extends LimitsEntry {
  readonly coin: string;
  readonly price_decimals: number;
  readonly quantity_decimals: number;
  readonly reference_price: string;
}

export const NEW_LISTING: ListingEntry = {
  coin: '',
  price_decimals: 4,
  quantity_decimals: 2,
  minimum_quantity: '1',
  maximum_quantity: '100000',
  minimum_value: '1',
  price_band_percent: '10',
  reference_price: '',
  reason: '',
};

/** Decimals without the zeros that say nothing. */
const short = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

export const limitsOf = (market: AdminMarket): LimitsEntry => ({
  minimum_quantity: short(market.minimum_quantity),
  maximum_quantity: short(market.maximum_quantity),
  minimum_value: short(market.minimum_value),
  price_band_percent: short(market.price_band_percent),
  reason: '',
});

const isReadable = (value: unknown) => typeof value !== 'string' || refusedText(value) === undefined;

/** What an operator has changed: what another one has changed since the form was opened stays as it is. */
export const changedIn = <Entry extends object>(before: Entry, entry: Entry): Partial<Entry> =>
  Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => value !== before[name as keyof Entry]),
  ) as Partial<Entry>;

/** The entry of a form, the field of each of its texts, and what the server said about it. */
export function useEntry<Entry extends object>(initial: Entry, error: Error | null) {
  const [entry, setEntry] = useState(initial);
  const set = <Name extends keyof Entry>(name: Name, value: Entry[Name]) => setEntry({ ...entry, [name]: value });
  const problemOf = (name: keyof Entry) => (error instanceof ApiProblem ? error.fields.get(String(name)) : undefined);
  const text = <Name extends keyof Entry>(name: Name) => ({
    value: String(entry[name]),
    error: problemOf(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set(name, currentTarget.value as Entry[Name]),
  });
  /** For fields of our own, which say their value. */
  const field = <Name extends keyof Entry>(name: Name) => ({
    value: String(entry[name]),
    error: problemOf(name),
    onChange: (value: string) => set(name, value as Entry[Name]),
  });
  return { entry, set, text, field, problemOf, isReadable: Object.values(entry).every(isReadable) };
}
