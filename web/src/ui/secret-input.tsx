import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../lib/i18n.ts';

/** A password field whose show and hide button can be reached and is named, and which says itself that it is wrong. */
export function SecretInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={props.error ? true : undefined}
      {...props}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password') }}
    />
  );
}
