import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useShell } from '../../lib/shell-store.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface SecondFactorDialogProps {
  readonly opened: boolean;
  readonly error: string | undefined;
  readonly isPending: boolean;
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
}

export function SecondFactorDialog({ opened, error, isPending, onCode, onClose }: SecondFactorDialogProps) {
  const [code, setCode] = useState('');
  const setChatOpen = useShell((shell) => shell.setChatOpen);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Second factor')} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onCode(code.trim());
        }}
      >
        <TextInput
          label={t('Authenticator code')}
          description={t('Or one of your recovery codes.')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          data-autofocus
          value={code}
          error={error}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt="md" loading={isPending} disabled={code.trim() === ''}>
          {t('Confirm')}
        </Button>
        <Button
          variant="subtle"
          fullWidth
          mt="xs"
          onClick={() => {
            onClose();
            setChatOpen(true);
          }}
        >
          {t('Lost both? Contact customer service')}
        </Button>
      </form>
    </Dialog>
  );
}
