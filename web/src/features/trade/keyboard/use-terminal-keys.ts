import { useHotkeys } from '@mantine/hooks';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useTradePreferences } from '../trade-preferences.ts';
import { COMMANDS } from './commands.ts';

/** Single keys, as long as the person has not turned them off; never while something is typed. */
export function useTerminalKeys(): void {
  const on = useTradePreferences((preferences) => preferences.keys);
  const signedIn = useSignedIn();
  const active = on ? COMMANDS.filter((command) => command.keys && (signedIn || !command.own)) : [];
  useHotkeys(active.map((command) => [command.keys ?? '', command.run]));
}
