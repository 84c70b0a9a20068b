/** Another pair over the chart of one: both in percent of what they were at the first candle in view. */

export interface ComparedLine {
  /** At the scale of the first pair, so that the axis in percent is true for both; undefined where nothing is known. */
  readonly values: readonly (number | undefined)[];
  /** Of the second pair, from the first to the last candle in view. */
  readonly percent: number | undefined;
}

/** The close at each time, or the last one before it: a pair without trades has no candle then. */
export function closesAt(times: readonly number[], closes: ReadonlyMap<number, number>): (number | undefined)[] {
  let last: number | undefined;
  return times.map((time) => {
    last = closes.get(time) ?? last;
    return last;
  });
}

/** `base` is the close of the first pair that counts as zero percent. For drawing. */
export function comparedLine(base: number, closes: readonly (number | undefined)[]): ComparedLine {
  const first = closes.find((close) => close !== undefined && close > 0);
  const last = closes.at(-1);
  if (first === undefined || last === undefined) return { values: closes.map(() => undefined), percent: undefined };
  return {
    values: closes.map((close) => (close === undefined ? undefined : (base * close) / first)),
    percent: (last / first - 1) * 100,
  };
}

export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A range that has room for the line as well. */
export function withLine({ from, to }: Extent, values: readonly (number | undefined)[]): Extent {
  const known = values.filter((value) => value !== undefined);
  return { from: Math.min(from, ...known), to: Math.max(to, ...known) };
}

/** From a price to percent of a base; zero for a base that is none. */
export const percentOf = (price: number, base: number): number => (base === 0 ? 0 : (price / base - 1) * 100);
