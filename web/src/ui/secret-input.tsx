import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password field whose show and hide button can be reached and is named. */
export function SecretInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide', tabIndex: 0, 'aria-hidden': false }}
    />
  );
}
