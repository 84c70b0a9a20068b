/** Asks for the six digits that were just sent, by mail or SMS. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './parts.module.css';

interface CodeDialogProps {
  readonly title: string;
  /** Where the code went. */
  readonly sentTo: string;
  readonly error: string | undefined;
  readonly isPending: boolean;
  readonly onCode: (code: string) => void;
  /** Where the code followed a step of its own, and not a form that is still there. */
  readonly onBack?: () => void;
  readonly onClose: () => void;
}

export function CodeDialog({ title, sentTo, error, isPending, onCode, onBack, onClose }: CodeDialogProps) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  return (
    <Dialog onClose={onClose} onBack={onBack} title={title} size="sm">
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(code.trim() === '');
          if (code.trim() !== '') onCode(code.trim());
        }}
      >
        <TextInput
          label={t('Verification code')}
          description={t('We sent a six-digit code to {{to}}. It expires in ten minutes.', { to: sentTo })}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          data-autofocus
          value={code}
          error={missing ? t('This field is required') : error}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={isPending}>
          {t('Confirm')}
        </Button>
      </form>
    </Dialog>
  );
}
