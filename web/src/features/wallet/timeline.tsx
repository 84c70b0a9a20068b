/** The way of something that travels: what is behind it, what it waits for, and what comes after. */
import { formatDateTime } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { IconAlertTriangle } from '../../ui/first-icons.ts';
import { IconCheck } from '../../ui/icons.ts';
import classes from './timeline.module.css';

export type Progress = 'done' | 'current' | 'ahead' | 'failed';

/** Confirmations that it has and needs. */
export interface Awaited {
  readonly count: number;
  readonly required: number;
}

export interface TimelineStep {
  readonly key: string;
  readonly text: string;
  readonly progress: Progress;
  /** Who did it. */
  readonly actor?: string;
  /** Ms since 1970, where it is known. */
  readonly time?: number;
  /** While it has not all of them. */
  readonly awaited?: Awaited;
}

const PROGRESS: Readonly<Record<Progress, string>> = {
  done: msg('Done'),
  current: msg('In progress'),
  ahead: msg('Awaiting'),
  failed: msg('Stopped'),
};

export function Timeline({ steps }: { readonly steps: readonly TimelineStep[] }) {
  return (
    <ol className={classes.steps} aria-label={t('Progress')}>
      {steps.map((step) => (
        <Step key={step.key} step={step} />
      ))}
    </ol>
  );
}

function Step({ step: { text, progress, actor, time, awaited } }: { readonly step: TimelineStep }) {
  const small = [actor, time === undefined ? undefined : formatDateTime(time)].filter((part) => part !== undefined);
  return (
    <li className={classes.step} data-progress={progress} aria-current={progress === 'current' ? 'step' : undefined}>
      <span className={classes.mark} aria-hidden>
        {progress === 'done' && <IconCheck size={12} stroke={3} />}
        {progress === 'failed' && <IconAlertTriangle size={12} />}
      </span>
      <span className={classes.words}>
        {text}
        <span className="visually-hidden">{t(PROGRESS[progress])}</span>
        {small.length > 0 && <span className={classes.small}>{small.join(' · ')}</span>}
        {awaited && <Confirmations {...awaited} />}
      </span>
    </li>
  );
}

function Confirmations({ count, required }: Awaited) {
  const words = t('{{count}} of {{required}} confirmations', { count, required });
  return (
    <>
      <span className={classes.small}>{words}</span>
      <span
        className={classes.bar}
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={required}
        aria-valuenow={count}
      >
        <i style={{ width: `${(100 * count) / required}%` }} />
      </span>
    </>
  );
}
