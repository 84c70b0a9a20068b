/** Why an operator does something, for the audit log, and the act that needs it. */
import { Button, Textarea } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import classes from './console.module.css';
import { isReason, REASON_LIMIT } from './use-act.ts';

interface ReasonFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
  /** Who reads it beside the auditor, where that is not only operators. */
  readonly description?: string;
  readonly minRows?: number;
  /** Has the focus as its dialog opens. */
  readonly isFirst?: boolean;
}

export function ReasonField({ value, error, onChange, description, minRows = 2, isFirst }: ReasonFieldProps) {
  return (
    <Textarea
      label={t('Reason')}
      description={description ?? t('It is kept in the audit log.')}
      autosize
      minRows={minRows}
      maxLength={REASON_LIMIT}
      value={value}
      error={error}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface ReasonedActProps {
  readonly reason: Pick<ReasonFieldProps, 'value' | 'error' | 'onChange'>;
  /** What the button says. */
  readonly action: string;
  readonly isDangerous: boolean;
  readonly busy: boolean;
  /** Whether all but the reason is there. */
  readonly ready: boolean;
  /** Absent in a form, which the button submits. */
  readonly onAct?: () => void;
  readonly onClose: () => void;
}

/** The end of a dialog: a reason, the act, and the way out. */
export function ReasonedAct({ reason, action, isDangerous, busy, ready, onAct, onClose }: ReasonedActProps) {
  return (
    <>
      <ReasonField {...reason} />
      <div className={classes.row}>
        <Button
          {...(onAct ? { onClick: onAct } : { type: 'submit' as const })}
          {...(isDangerous ? { color: 'red' } : {})}
          loading={busy}
          disabled={!ready || !isReason(reason.value)}
        >
          {action}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
    </>
  );
}
