/** Why an operator does something, for the audit log. */
import { Textarea } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { REASON_LIMIT } from './use-act.ts';

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Who reads it beside the auditor, where that is not only operators. */
  readonly description?: string;
  readonly minRows?: number;
}

export function ReasonField({ value, onChange, description, minRows = 2 }: ReasonFieldProps) {
  return (
    <Textarea
      label={t('Reason')}
      description={description ?? t('It is kept in the audit log.')}
      autosize
      minRows={minRows}
      maxLength={REASON_LIMIT}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
