/** What the legend says of each indicator: its name with its periods, and its values at one candle. */
import type { Indicator } from 'klinecharts';
import { formatCompact, localizeNumber } from '../../../lib/format.ts';

export interface LegendValue {
  readonly title: string;
  /** Of the line, by its turn among the lines of the indicator; undefined for what is no line. */
  readonly line: number | undefined;
  readonly text: string;
}

type Described = Pick<
  Indicator,
  'shortName' | 'calcParams' | 'figures' | 'result' | 'precision' | 'shouldFormatBigNumber'
>;

export function legendName({ shortName, calcParams }: Pick<Described, 'shortName' | 'calcParams'>): string {
  return calcParams.length === 0 ? shortName : `${shortName} ${calcParams.join(', ')}`;
}

/** From here on digits behind the point say nothing. */
const BIG = 1_000;

function valueText(value: number, { precision, shouldFormatBigNumber }: Described): string {
  const text = value.toFixed(Math.min(precision, 8));
  return shouldFormatBigNumber && Math.abs(value) >= BIG ? formatCompact(text) : localizeNumber(text);
}

/** `index` of the candle; past the newest one, and without a pointer, the newest counts. */
export function legendValues(indicator: Described, index: number | undefined): LegendValue[] {
  const { figures, result } = indicator;
  const at = index === undefined || index >= result.length ? result.length - 1 : index;
  const values = (result[at] ?? {}) as Readonly<Record<string, unknown>>;
  let lines = 0;
  return figures.flatMap(({ key, title, type }) => {
    const line = type === 'line' ? lines++ : undefined;
    const value = values[key];
    if (title === undefined) return [];
    const text = typeof value === 'number' && Number.isFinite(value) ? valueText(value, indicator) : '–';
    return [{ title: title.replace(/:\s*$/, '').trim(), line, text }];
  });
}
