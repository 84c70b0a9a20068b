import { type ButtonHTMLAttributes, cloneElement, type ReactElement, useEffect, useState } from 'react';
import { leaveByBack } from '../lib/back-button.ts';

/** What a menu of the library is given, so that Back closes it. */
export function useFloating() {
  const [opened, onChange] = useState(false);
  useEffect(() => (opened ? leaveByBack(() => onChange(false)) : undefined), [opened]);
  return { opened, onChange };
}

/** The same for a popover, and its button: a popover whose state is ours does not hear of the clicks on it. */
export function usePopover(trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>) {
  const popover = useFloating();
  return { popover, target: cloneElement(trigger, { onClick: () => popover.onChange(!popover.opened) }) };
}
