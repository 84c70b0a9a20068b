/** Values over time as a line for the eye, and what stands below it. A screen says the same as a table for the ear. */
import type { PointerEvent, ReactNode } from 'react';
import { useState } from 'react';
import { formatDate } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import classes from './line-drawing.module.css';
import { areaPath, linePath, runsOf, scaleOf } from './line-path.ts';

const [WIDTH, HEIGHT] = [600, 150];

interface LineDrawingProps {
  /** Undefined is a gap. */
  readonly values: readonly (number | undefined)[];
  /** What no value is below. */
  readonly floor: number;
  /** The value that is pointed at, by its index. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

export function LineDrawing({ values, floor, pointed, onPoint }: LineDrawingProps) {
  const runs = runsOf(values, scaleOf(values, floor), WIDTH, HEIGHT);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.round(((event.clientX - left) / width) * (values.length - 1));
    onPoint(Math.min(values.length - 1, Math.max(0, index)));
  };
  return (
    <svg
      className={classes.svg}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(undefined)}
    >
      {runs.map((run) => (
        <g key={run[0]?.x}>
          <path className={classes.area} d={areaPath(run, HEIGHT)} />
          <path
            className={classes.line}
            data-single={run.length === 1 || undefined}
            d={`${linePath(run)}${run.length === 1 ? 'h0' : ''}`}
          />
        </g>
      ))}
      {pointed !== undefined && (
        <path className={classes.cursor} d={`M${(pointed * WIDTH) / Math.max(1, values.length - 1)},0v${HEIGHT}`} />
      )}
    </svg>
  );
}

interface LineEndsProps {
  /** Ms since 1970, as the end. */
  readonly from: number;
  readonly to: number;
  readonly dayText?: (time: number) => string;
}

/** The days at which a line begins and ends. */
export function LineEnds({ from, to, dayText = formatDate }: LineEndsProps) {
  return (
    <p className={classes.ends} aria-hidden>
      <span>{dayText(from)}</span>
      <span>{dayText(to)}</span>
    </p>
  );
}

export interface TimedValue {
  /** Ms since 1970. */
  readonly time: number;
  readonly value: string;
}

interface ValueLineProps {
  /** What the values are. */
  readonly label: string;
  /** Oldest first; at least one. */
  readonly points: readonly TimedValue[];
  readonly floor: number;
  readonly timeText: (time: number) => string;
  /** Of the ends of the line. */
  readonly dayText?: (time: number) => string;
  readonly valueText: (value: string) => ReactNode;
}

/** A line with the reading of what is pointed at, else of the last value. */
export function ValueLine({ label, points, floor, timeText, dayText = formatDate, valueText }: ValueLineProps) {
  const [pointed, setPointed] = useState<number>();
  const shown = points[pointed ?? points.length - 1] ?? points.at(-1)!;
  return (
    <div>
      <p className={classes.reading}>
        <span className={classes.value}>{valueText(shown.value)}</span>
        <span className={classes.time}>{timeText(shown.time)}</span>
      </p>
      <LineDrawing
        values={points.map(({ value }) => Number(value))}
        floor={floor}
        pointed={pointed}
        onPoint={setPointed}
      />
      <LineEnds from={points[0]!.time} to={points.at(-1)!.time} dayText={dayText} />
      <table className="visually-hidden" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            <th scope="col">{label}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ time, value }) => (
            <tr key={time}>
              <th scope="row">{timeText(time)}</th>
              <td>{valueText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
