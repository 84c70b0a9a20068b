import type { CSSProperties } from 'react';
import { withPercent } from '../../../lib/format.ts';
import classes from './ticket.module.css';

const TICKS = [0, 25, 50, 75, 100] as const;

interface AmountSliderProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (percent: number) => void;
}

/** The browser names no change where the handle is at an end already, as it is for an amount above the balance. */
const isAtEnd = ({ value, min, max }: HTMLInputElement) => value === min || value === max;

/** A share of the balance: by handle, by tick, or by the buttons under the ticks. */
export function AmountSlider({ label, value, onChange }: AmountSliderProps) {
  const percent = Math.round(value);
  return (
    <div className={classes.slider} style={{ '--share': percent / 100 } as CSSProperties}>
      <div className={classes.rail}>
        {TICKS.map((tick) => (
          <span key={tick} className={classes.mark} data-filled={tick <= percent || undefined} />
        ))}
        <input
          type="range"
          className={classes.handle}
          min={0}
          max={100}
          aria-label={label}
          aria-valuetext={withPercent(percent)}
          value={percent}
          onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
          onClick={({ currentTarget }) => isAtEnd(currentTarget) && onChange(currentTarget.valueAsNumber)}
          onKeyDown={({ key, currentTarget }) => {
            const end = key === 'End' ? currentTarget.max : key === 'Home' ? currentTarget.min : undefined;
            if (end === currentTarget.value) onChange(currentTarget.valueAsNumber);
          }}
        />
        <output className={classes.share} aria-hidden="true">
          {withPercent(percent)}
        </output>
      </div>
      <div className={classes.ticks}>
        {TICKS.map((tick) => (
          <button key={tick} type="button" className={classes.tick} onClick={() => onChange(tick)}>
            {withPercent(tick)}
          </button>
        ))}
      </div>
    </div>
  );
}
