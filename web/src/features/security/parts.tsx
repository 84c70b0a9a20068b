/** The pieces that the account's screens are made of: a flat section, and rows of name, state and act. */
import { Badge } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './parts.module.css';

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.heading}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

export function Row({ title, hint, state, children }: RowProps) {
  const id = useId();
  return (
    // Its buttons are called the same in many rows: with the focus it is read out what they are for.
    <fieldset className={classes.row} aria-labelledby={`${id}title ${id}state`}>
      <div className={classes.words}>
        <h3 id={`${id}title`} className={classes.title}>
          {title}
        </h3>
        {hint && <p className={classes.hint}>{hint}</p>}
      </div>
      {state && (
        <div id={`${id}state`} className={classes.state}>
          {state}
        </div>
      )}
      {children && <div className={classes.acts}>{children}</div>}
    </fieldset>
  );
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly rows: number;
  readonly children: (data: Data) => ReactNode;
}

/** Waits with rows of the final height, and says what failed. */
export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonRows rows={rows} columns={2} />;
}

interface LinkRowProps {
  readonly to: string;
  readonly title: string;
  readonly hint: string;
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

export function LinkRow({ to, title, hint, state, children }: LinkRowProps) {
  return (
    <Row
      title={
        <Link to={to} className={classes.link ?? ''}>
          {title}
        </Link>
      }
      hint={hint}
      state={state}
    >
      {children}
    </Row>
  );
}

interface ChipProps {
  /** Whether it is as it should be. */
  readonly good: boolean;
  readonly text: string;
}

export function Chip({ good, text }: ChipProps) {
  return (
    <Badge variant="default" size="sm" tt="none" fw={500} bd={0} className={good ? (classes.good ?? '') : ''}>
      {text}
    </Badge>
  );
}
