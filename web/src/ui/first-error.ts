import type { SyntheticEvent } from 'react';

/** For a keyboard, and for who hears the page. On a touch screen the focus would open a keyboard over the form. */
export function focusFirstError(form: HTMLFormElement): void {
  if (matchMedia('(pointer: fine)').matches) form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

/** What a form does that was sent with errors. */
export function toFirstError(_errors: object, _values: object, event?: SyntheticEvent<HTMLFormElement>): void {
  const form = event?.currentTarget;
  // The fields are marked by then.
  if (form) setTimeout(() => focusFirstError(form));
}
