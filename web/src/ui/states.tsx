/** The states that every panel has besides full: loading, empty, failed, behind. */

import type { ReactNode } from 'react';
import { isSignedOut, messageOf } from '../lib/api-problem.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { IconAlertTriangle, IconPlugConnectedX } from './first-icons.ts';
import classes from './states.module.css';

interface EmptyProps {
  readonly title: string;
  readonly action?: ReactNode;
}

export function Empty({ title, action }: EmptyProps) {
  return (
    <div className={classes.state}>
      <p className={classes.title}>{title}</p>
      {action}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  /** What failed, where the error itself would not say. */
  readonly title?: string;
  readonly onRetry?: () => void;
}

export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  // Its screen is about to give way to the sign-in, and no other try would help.
  if (isSignedOut(error)) return null;
  return (
    <div className={classes.state} role="alert">
      <IconAlertTriangle size={20} className={classes.warning} aria-hidden />
      <p className={classes.title}>{title ?? messageOf(error)}</p>
      {onRetry && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

interface LoadingProps {
  /** What is being waited for; shown instead of only being read out. */
  readonly text?: string;
}

export function Loading({ text }: LoadingProps) {
  return (
    <div className={classes.state} role="status">
      <span className={classes.loader} aria-hidden />
      {text ? <p className={classes.title}>{text}</p> : <span className="visually-hidden">{t('Loading...')}</span>}
    </div>
  );
}

interface SkeletonRowsProps {
  readonly rows: number;
  readonly columns?: number;
}

/** As high as the rows that will replace it. */
export function SkeletonRows({ rows, columns = 3 }: SkeletonRowsProps) {
  return (
    <div role="status">
      <span className="visually-hidden">{t('Loading...')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div className={classes.skeletonRow} key={`row-${row.toString()}`} aria-hidden>
          {Array.from({ length: columns }, (_, column) => (
            <span className={classes.bone} key={`bone-${column.toString()}`} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface StaleBadgeProps {
  /** Where the room is small. */
  readonly short?: boolean;
}

/** Shown while the stream is behind: what is on screen may be old. */
export function StaleBadge({ short = false }: StaleBadgeProps) {
  return (
    <span className={classes.stale} role="status" title={t('Reconnecting, figures may be out of date')}>
      <IconPlugConnectedX size={13} aria-hidden />
      {short ? t('Stale') : t('Reconnecting, figures may be out of date')}
    </span>
  );
}
