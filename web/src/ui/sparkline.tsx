/** The last day as a line. Drawn from numbers; it is a picture, not a figure. */
interface SparklineProps {
  readonly points: readonly number[];
  readonly up: boolean;
  readonly width?: number;
  readonly height?: number;
}

export function Sparkline({ points, up, width = 96, height = 28 }: SparklineProps) {
  if (points.length < 2) return <svg width={width} height={height} aria-hidden />;
  const low = Math.min(...points);
  const range = Math.max(...points) - low || 1;
  const step = width / (points.length - 1);
  const path = points
    .map(
      (point, index) =>
        `${(index * step).toFixed(1)},${(height - 2 - ((point - low) / range) * (height - 4)).toFixed(1)}`,
    )
    .join(' ');
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <polyline points={path} fill="none" stroke={up ? 'var(--up)' : 'var(--down)'} strokeWidth="1.5" />
    </svg>
  );
}
