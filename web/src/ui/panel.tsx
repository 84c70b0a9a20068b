/** A flat surface with an optional heading row; panels are told apart by hairlines, not by boxes. */
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly label: string;
  readonly heading?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Name of the chosen one of the heading's tabs. */
  readonly tab?: string | undefined;
}

export function Panel({ label, heading, aside, children, className, tab }: PanelProps) {
  return (
    <section className={`${classes.panel} ${className ?? ''}`} aria-label={label}>
      {(heading || aside) && (
        <header className={classes.heading}>
          <div className={classes.title}>{heading}</div>
          {aside}
        </header>
      )}
      {tab === undefined ? (
        <div className={classes.body}>{children}</div>
      ) : (
        <div className={classes.body} role="tabpanel" aria-label={tab}>
          {children}
        </div>
      )}
    </section>
  );
}

/** Of the chosen one of some options. */
export function labelOf<Value extends string>(
  options: readonly { readonly value: Value; readonly label: string }[],
  value: Value,
): string | undefined {
  return options.find((option) => option.value === value)?.label;
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

/** The tabs are one stop for Tab; arrow keys move between them and choose. */
function tabKeys<Value extends string>({ value, options, onChange }: SegmentsProps<Value>) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const at = options.findIndex((option) => option.value === value);
    const to = tabAt(event.key, at, options.length);
    const next = to === undefined ? undefined : options[to];
    if (to === undefined || !next) return;
    // Home and End would scroll the page.
    event.preventDefault();
    onChange(next.value);
    event.currentTarget.querySelectorAll('button')[to]?.focus();
  };
}

/** Quiet texts beside each other, of which one says what is shown below. */
export function Tabs<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange } = props;
  return (
    <div className={classes.segments} role="tablist" aria-label={label} onKeyDown={tabKeys(props)}>
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

/** Looks as tabs do, and is one value of a few, as in a form. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div className={classes.segments} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            className={classes.radio}
            onChange={() => onChange(option.value)}
            // It would send the form around it.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
