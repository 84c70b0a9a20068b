import { useEffect, useState } from 'react';
import { leaveByBack } from '../lib/back-button.ts';

/** What a menu or popover of the library is given, so that Back closes it. */
export function useFloating() {
  const [opened, onChange] = useState(false);
  useEffect(() => (opened ? leaveByBack(() => onChange(false)) : undefined), [opened]);
  return { opened, onChange };
}
