import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FactorField, LostFactors } from './factor-field.tsx';

interface SecondFactorDialogProps {
  readonly opened: boolean;
  readonly error: string | undefined;
  readonly isPending: boolean;
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
}

export function SecondFactorDialog({ opened, error, isPending, onCode, onClose }: SecondFactorDialogProps) {
  const [code, setCode] = useState('');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Second factor')} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onCode(code.trim());
        }}
      >
        <FactorField data-autofocus value={code} error={error} onChange={setCode} />
        <Button type="submit" fullWidth mt="md" loading={isPending} disabled={code.trim() === ''}>
          {t('Confirm')}
        </Button>
        <LostFactors onLeave={onClose} />
      </form>
    </Dialog>
  );
}
