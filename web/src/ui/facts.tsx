/** A list of facts, each under its name: what an account is, or what an act will do. How it looks is its caller's. */
import type { ReactNode } from 'react';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** What the eye should find first. */
  readonly strong?: boolean;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className: string | undefined;
  /** Of each fact, and of one that is strong beside it. */
  readonly fact?: string | undefined;
  readonly strong?: string | undefined;
  /** What is shown no longer holds. */
  readonly outdated?: boolean;
}

export function Facts({ facts, className, fact = '', strong = '', outdated = false }: FactsProps) {
  return (
    <dl className={className} data-outdated={outdated || undefined}>
      {facts.map((one) => (
        <div key={one.name} className={(one.strong ? `${fact} ${strong}` : fact) || undefined}>
          <dt>{one.name}</dt>
          <dd>{one.value}</dd>
        </div>
      ))}
    </dl>
  );
}
