import { Slider } from '@mantine/core';
import classes from './ticket.module.css';

const TICKS = [0, 25, 50, 75, 100] as const;

interface AmountSliderProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (percent: number) => void;
}

/** A share of the balance: by handle, by tick, or by the buttons under the ticks. */
export function AmountSlider({ label, value, onChange }: AmountSliderProps) {
  return (
    <div className={classes.slider}>
      <Slider
        size={4}
        thumbSize={24}
        value={value}
        onChange={onChange}
        thumbLabel={label}
        label={(percent) => `${percent}%`}
        marks={TICKS.map((tick) => ({ value: tick }))}
        classNames={{ thumb: classes.thumb ?? '', mark: classes.mark ?? '', track: classes.track ?? '' }}
      />
      <div className={classes.ticks}>
        {TICKS.map((tick) => (
          <button key={tick} type="button" className={classes.tick} onClick={() => onChange(tick)}>
            {tick}%
          </button>
        ))}
      </div>
    </div>
  );
}
