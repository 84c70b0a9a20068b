/** A day as a filled line, as wide as its place. A picture of the prices, not a chart to read them from. */
import { useId } from 'react';
import classes from './day-line.module.css';

interface DayLineProps {
  /** Closes, oldest first. */
  readonly points: readonly number[];
  readonly up: boolean;
}

const [WIDTH, HEIGHT, TOP] = [480, 120, 8] as const;

export function DayLine({ points, up }: DayLineProps) {
  const gradient = useId();
  if (points.length < 2) return null;
  const low = Math.min(...points);
  const range = Math.max(...points) - low || 1;
  const at = (point: number, index: number) => {
    const x = (index * WIDTH) / (points.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - TOP - ((point - low) / range) * (HEIGHT - 3 * TOP)).toFixed(1)}`;
  };
  const line = points.map(at).join(' ');
  return (
    <svg
      className={`${classes.line} ${up ? classes.up : classes.down}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="currentColor" stopOpacity="0.28" />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </linearGradient>
      <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} fill={`url(#${gradient})`} />
      <polyline points={line} fill="none" stroke="currentColor" strokeWidth="2" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
