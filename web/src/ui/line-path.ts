/** A line of values over days as SVG paths. Numbers for drawing only. */

export interface Scale {
  readonly low: number;
  readonly high: number;
}

/**
 * Leaves some room, so that a flat line runs through the middle and none touches an edge but that of zero.
 * @param floor what no value is below, and neither is the floor below its line
 */
export function scaleOf(values: readonly (number | undefined)[], floor = 0): Scale {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return { low: 0, high: 1 };
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1;
  return { low: Math.max(floor, low - room), high: high + room };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Runs of days in a row that have a value. A day without one is a gap, and never a line to nothing. */
export function runsOf(
  values: readonly (number | undefined)[],
  { low, high }: Scale,
  width: number,
  height: number,
): Point[][] {
  const step = width / Math.max(1, values.length - 1);
  const runs: Point[][] = [];
  let open: Point[] | undefined;
  values.forEach((value, index) => {
    if (value === undefined) {
      open = undefined;
      return;
    }
    if (open === undefined) {
      open = [];
      runs.push(open);
    }
    open.push({ x: index * step, y: height - ((value - low) / (high - low)) * height });
  });
  return runs;
}

const place = ({ x, y }: Point) => `${x.toFixed(1)},${y.toFixed(1)}`;

export const linePath = (run: readonly Point[]): string => `M${run.map(place).join('L')}`;

/** What lies below the line. */
export function areaPath(run: readonly Point[], height: number): string {
  const [first, last] = [run[0]!, run.at(-1)!];
  return `${linePath(run)}L${place({ x: last.x, y: height })}L${place({ x: first.x, y: height })}Z`;
}
