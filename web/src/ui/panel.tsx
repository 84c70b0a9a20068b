/** A flat surface with an optional heading row; panels are told apart by hairlines, not by boxes. */
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly label: string;
  readonly heading?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

export function Panel({ label, heading, aside, children, className }: PanelProps) {
  return (
    <section className={`${classes.panel} ${className ?? ''}`} aria-label={label}>
      {(heading || aside) && (
        <header className={classes.heading}>
          <div className={classes.title}>{heading}</div>
          {aside}
        </header>
      )}
      <div className={classes.body}>{children}</div>
    </section>
  );
}

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onChange: (value: Value) => void;
}

/** Where a key leads from one of so many tabs, around at the ends. */
function tabAt(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Quiet text tabs for a panel's heading; one stop for Tab, arrow keys move between them. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const at = options.findIndex((option) => option.value === value);
    const to = tabAt(event.key, at, options.length);
    const next = to === undefined ? undefined : options[to];
    if (to === undefined || !next) return;
    // Home and End would scroll the page.
    event.preventDefault();
    onChange(next.value);
    event.currentTarget.querySelectorAll('button')[to]?.focus();
  };
  return (
    <div className={classes.segments} role="tablist" aria-label={label} onKeyDown={move}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="tab"
          aria-selected={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          className={classes.segment}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
