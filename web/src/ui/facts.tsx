/** A list of facts, each under its name: what an account is, or what an act will do. */
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** What the eye should find first. */
  readonly strong?: boolean;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** In a row each, the name at its beginning and the value at its end; or side by side, the name above the value. */
  readonly look: 'rows' | 'tiles';
  /** Of the whole list. */
  readonly className?: string | undefined;
  /** What is shown no longer holds. */
  readonly outdated?: boolean;
}

export function Facts({ facts, look, className = '', outdated = false }: FactsProps) {
  return (
    <dl className={`${classes[look]} ${className}`} data-outdated={outdated || undefined}>
      {facts.map((one) => (
        <div key={one.name} className={one.strong ? classes.strong : undefined}>
          <dt>{one.name}</dt>
          <dd>{one.value}</dd>
        </div>
      ))}
    </dl>
  );
}
