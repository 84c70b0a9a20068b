import { useHotkeys } from '@mantine/hooks';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useTradePreferences } from '../trade-preferences.ts';
import { COMMANDS } from './commands.ts';

/** A list or a dialog that is open closes first. */
function leaveField({ target }: KeyboardEvent): void {
  if (!(target instanceof HTMLElement) || target.ariaExpanded === 'true' || target.closest('[role=dialog]')) return;
  if (target.matches('input, textarea')) target.blur();
}

/** Single keys, as long as the person has not turned them off; never while something is typed, which Escape ends. */
export function useTerminalKeys(): void {
  const on = useTradePreferences((preferences) => preferences.keys);
  const signedIn = useSignedIn();
  const active = on ? COMMANDS.filter((command) => command.keys && (signedIn || !command.own)) : [];
  useHotkeys(active.map((command) => [command.keys ?? '', command.run]));
  useHotkeys(on ? [['Escape', leaveField, { preventDefault: false }]] : [], []);
}
