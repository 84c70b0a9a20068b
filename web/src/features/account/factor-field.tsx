/** A second factor on the way in: the code, and what to do without one. */
import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { useShell } from '../../lib/shell-store.ts';

interface FactorFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (code: string) => void;
}

export function FactorField({ onChange, ...rest }: FactorFieldProps) {
  return (
    <TextInput
      label={t('Authenticator code')}
      description={t('Or one of your recovery codes.')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** An operator can let a client in who has lost them. */
export function LostFactors({ onLeave }: { readonly onLeave: () => void }) {
  const setChatOpen = useShell((shell) => shell.setChatOpen);
  const ask = () => {
    onLeave();
    setChatOpen(true);
  };
  return (
    <Button variant="subtle" fullWidth mt="xs" onClick={ask}>
      {t('Lost both? Contact customer service')}
    </Button>
  );
}
