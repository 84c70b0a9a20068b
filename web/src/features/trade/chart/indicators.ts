/** The indicators on offer, with the parameters that they start with: the usual ones. */
export interface IndicatorChoice {
  readonly name: string;
  /** Periods and factors; empty where the indicator has none. */
  readonly params: readonly number[];
}

interface IndicatorKind extends IndicatorChoice {
  /** Lies over the candles instead of in a pane of its own. */
  readonly over?: true;
  /** Computed from volume, which marks and indexes do not have. */
  readonly ofVolume?: true;
}

export const INDICATORS: readonly IndicatorKind[] = [
  { name: 'VOL', params: [], ofVolume: true },
  { name: 'MA', params: [7, 25, 99], over: true },
  { name: 'EMA', params: [12, 26], over: true },
  { name: 'SMA', params: [12, 2], over: true },
  { name: 'VWAP', params: [], over: true, ofVolume: true },
  { name: 'BOLL', params: [20, 2], over: true },
  { name: 'ICHIMOKU', params: [9, 26, 52], over: true },
  { name: 'BBI', params: [3, 6, 12, 24], over: true },
  { name: 'SAR', params: [2, 2, 20], over: true },
  { name: 'AVP', params: [], over: true, ofVolume: true },
  { name: 'MACD', params: [12, 26, 9] },
  { name: 'RSI', params: [14] },
  { name: 'ATR', params: [14] },
  { name: 'KDJ', params: [9, 3, 3] },
  { name: 'WR', params: [14] },
  { name: 'CCI', params: [20] },
  { name: 'DMI', params: [14, 14] },
  { name: 'DMA', params: [10, 50, 10] },
  { name: 'OBV', params: [30], ofVolume: true },
  { name: 'TRIX', params: [12, 9] },
  { name: 'ROC', params: [12, 6] },
  { name: 'MTM', params: [12, 6] },
  { name: 'AO', params: [5, 34] },
  { name: 'BIAS', params: [6, 12, 24] },
  { name: 'BRAR', params: [26] },
  { name: 'CR', params: [26, 10, 20, 40, 60] },
  { name: 'EMV', params: [14, 9], ofVolume: true },
  { name: 'PSY', params: [12, 6] },
  { name: 'PVT', params: [], ofVolume: true },
  { name: 'VR', params: [26, 6], ofVolume: true },
];

export const FIRST_INDICATORS: readonly IndicatorChoice[] = [{ name: 'VOL', params: [] }];

/** Those that the chart begins with are there at once; the others have to be fetched. */
export function isAtFirst({ name }: IndicatorChoice): boolean {
  return FIRST_INDICATORS.some((first) => first.name === name);
}

export function isOverlay(name: string): boolean {
  return INDICATORS.some((kind) => kind.name === name && kind.over === true);
}

export function isOfVolume(name: string): boolean {
  return INDICATORS.some((kind) => kind.name === name && kind.ofVolume === true);
}

/** Turns one on with its first parameters, or off. */
export function toggleIndicator(chosen: readonly IndicatorChoice[], name: string): readonly IndicatorChoice[] {
  if (chosen.some((entry) => entry.name === name)) return chosen.filter((entry) => entry.name !== name);
  const params = INDICATORS.find((kind) => kind.name === name)?.params ?? [];
  return [...chosen, { name, params }];
}

const LARGEST_PERIOD = 1_000;

/** A parameter is a whole number from 1 to 1000; anything else leaves the choice as it was. */
export function setParameter(
  chosen: readonly IndicatorChoice[],
  name: string,
  index: number,
  text: string,
): readonly IndicatorChoice[] {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > LARGEST_PERIOD) return chosen;
  return chosen.map((entry) =>
    entry.name === name ? { ...entry, params: entry.params.map((old, at) => (at === index ? value : old)) } : entry,
  );
}
