import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../lib/i18n.ts';

/** A password field whose show and hide button can be reached and is named. */
export function SecretInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      {...props}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password') }}
    />
  );
}
