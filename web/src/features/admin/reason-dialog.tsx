/** Every act about a client has a reason, which the client and the audit log see, and may have an end; acts about the exchange have one for the log. */
import { Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { exchangeTime } from '../../lib/exchange-time.ts';
import { msg, t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './console.module.css';
import { ReasonField } from './reason-field.tsx';
import { isReason } from './use-act.ts';

const HOUR_MS = 3_600_000;

const LENGTHS = [
  { value: '', label: msg('Until an operator ends it') },
  { value: String(HOUR_MS), label: msg('One hour') },
  { value: String(24 * HOUR_MS), label: msg('One day') },
  { value: String(7 * 24 * HOUR_MS), label: msg('One week') },
  { value: String(30 * 24 * HOUR_MS), label: msg('Thirty days') },
] as const;

export interface Decision {
  readonly reason: string;
  /** Ms since 1970; null has no end. */
  readonly until: number | null;
  /** Whether the box is ticked, where there is one. */
  readonly isChosen: boolean;
}

export interface ReasonDialogProps {
  readonly title: string;
  /** What it brings about, where the title does not say it. */
  readonly note?: string | undefined;
  readonly action: string;
  /** Whether the act may have an end. */
  readonly withEnd: boolean;
  /** What may be done along with it, and is unless it is left out. */
  readonly choice?: { readonly label: string; readonly description: string } | undefined;
  /** Of no client: the audit log alone has the reason. */
  readonly isInternal?: boolean;
  readonly busy: boolean;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, note, action, withEnd, choice, isInternal = false, busy, onDecide, onClose } = props;
  const [reason, setReason] = useState('');
  const [length, setLength] = useState('');
  const [isChosen, setIsChosen] = useState(true);
  const until = () => (length ? exchangeTime() + Number(length) : null);
  return (
    <Dialog onClose={onClose} title={title} size="sm">
      {note && (
        <Text size="sm" mb="sm">
          {note}
        </Text>
      )}
      <ReasonField
        value={reason}
        minRows={3}
        isFirst
        {...(isInternal ? {} : { description: t('The client sees it, and it is kept in the audit log.') })}
        onChange={setReason}
      />
      {withEnd && (
        <Select
          mt="sm"
          label={t('How long')}
          data={LENGTHS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={length}
          allowDeselect={false}
          onChange={(value) => setLength(value ?? '')}
        />
      )}
      {choice && (
        <Checkbox mt="sm" {...choice} checked={isChosen} onChange={(event) => setIsChosen(event.target.checked)} />
      )}
      <div className={classes.row} style={{ marginTop: 18 }}>
        <Button
          loading={busy}
          disabled={!isReason(reason)}
          onClick={() => onDecide({ reason: reason.trim(), until: until(), isChosen })}
        >
          {action}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
