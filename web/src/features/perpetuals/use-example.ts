/** The numbers of the worked example as the reader types them; a new market begins with its own. */
import { useState } from 'react';
import { decimal, rescale, toShortText } from '../../lib/decimal.ts';
import { lotsOf, type MarketTerms, marketTerms, ticksOf, unitsOf, usdt } from '../../lib/futures/terms.ts';
import { refusedText } from '../../lib/typed-number.ts';
import { type Example, largestOf, rateOf, type Worked, workedExample } from './example.ts';
import type { Perpetual } from './frame.tsx';

export interface Entry {
  readonly isLong: boolean;
  readonly leverage: string;
  readonly entry: string;
  readonly quantity: string;
  readonly added: string;
  readonly mark: string;
  /** Percent of the index, above or below it. */
  readonly premium: string;
  readonly isBelow: boolean;
}

/** USDT that the example begins with, or the smallest step where that is more. */
const VALUE = 30_000n;
const PREMIUM_SCALE = 7;
const LEVERAGE = 10;
/** So far is the mark from the entry at first, in percent. */
const MOVED_PERCENT = 98n;

const highestOf = ({ tiers }: MarketTerms['terms']): number => tiers[0]?.maximumLeverage ?? 1;

function beginning(perpetual: Perpetual, { terms, priceScale, quantityScale }: MarketTerms): Entry {
  const entry = perpetual.mark_price ?? '1';
  const { units } = rescale(decimal(entry), priceScale, 'nearest');
  const lots = (VALUE * 10n ** 8n) / (units * terms.unitsPerTickLot) || 1n;
  return {
    ...{ isLong: true, leverage: String(Math.min(LEVERAGE, highestOf(terms))), entry, added: '0' },
    quantity: toShortText({ units: lots, scale: quantityScale }),
    mark: toShortText({ units: (units * MOVED_PERCENT) / 100n, scale: priceScale }),
    ...{ premium: '0.05', isBelow: false },
  };
}

/** Texts that are no numbers count as nothing: what depends on them is not shown. */
const readable = (text: string) => (refusedText(text) === undefined && text !== '' ? text : '0');

/** Undefined while the text is no leverage of the market. */
function leverageOf(text: string, { terms }: MarketTerms): number | undefined {
  const times = Number(readable(text));
  return Number.isInteger(times) && times >= 1 && times <= highestOf(terms) ? times : undefined;
}

function exampleOf(entry: Entry, leverage: number, market: MarketTerms, ratePpb: bigint): Example {
  return {
    isLong: entry.isLong,
    leverage,
    entry: ticksOf(market, readable(entry.entry)),
    lots: lotsOf(market, readable(entry.quantity)),
    added: unitsOf(readable(entry.added)),
    mark: ticksOf(market, readable(entry.mark)),
    ratePpb,
  };
}

export function useExample(perpetual: Perpetual) {
  // Terms are asked for again and again; those of a market that is read about do not change under the reader's hands.
  const [market] = useState(() => marketTerms(perpetual, perpetual));
  const [entry, setEntry] = useState(() => beginning(perpetual, market));
  const premium = rescale(decimal(readable(entry.premium)), PREMIUM_SCALE, 'nearest').units;
  const ratePpb = rateOf(perpetual, entry.isBelow ? -premium : premium);
  const leverage = leverageOf(entry.leverage, market);
  const worked: Worked | undefined =
    leverage === undefined ? undefined : workedExample(market, exampleOf(entry, leverage, market, ratePpb));
  return {
    ...{ market, entry, leverage, ratePpb, worked, largest: usdt(largestOf(market)) },
    highest: highestOf(market.terms),
    set: (values: Partial<Entry>) => setEntry({ ...entry, ...values }),
  };
}

export type ExampleState = ReturnType<typeof useExample>;
