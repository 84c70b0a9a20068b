/** Every key of the terminal. Single keys can be turned off, for who speaks to the computer or types by accident. */
import { Kbd, Switch } from '@mantine/core';
import '@mantine/core/styles/Kbd.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { msg, t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useDialogs } from '../dialogs.ts';
import { useTradePreferences } from '../trade-preferences.ts';
import { COMMANDS } from './commands.ts';
import classes from './keys-dialog.module.css';

/** Keys of the chart's library, which are pressed together with the first. */
const CHART_KEYS = [
  { label: msg('Scroll the chart'), keys: ['⇧', '←', '→'] },
  { label: msg('Zoom the chart'), keys: ['⇧', '+', '−'] },
] as const;

interface KeysProps {
  readonly label: string;
  readonly keys: readonly string[];
}

function Keys({ label, keys }: KeysProps) {
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>
        {keys.map((key) => (
          <Kbd key={key}>{key === 'shift' ? '⇧' : key}</Kbd>
        ))}
      </dd>
    </div>
  );
}

export default function KeysDialog() {
  const close = useDialogs((store) => store.close);
  const { keys, set } = useTradePreferences();
  return (
    <Dialog onClose={close} size={480} title={t('Keys')}>
      <Switch
        label={t('Single keys act on the terminal')}
        checked={keys}
        onChange={({ currentTarget }) => set({ keys: currentTarget.checked })}
      />
      <dl className={classes.keys}>
        <Keys label={msg('Command palette')} keys={['Ctrl', 'K']} />
        <Keys label={msg('Leave a field')} keys={['Esc']} />
        {COMMANDS.filter((command) => command.keys).map((command) => (
          <Keys key={command.id} label={command.label} keys={(command.keys ?? '').split('+')} />
        ))}
        {CHART_KEYS.map((entry) => (
          <Keys key={entry.label} {...entry} />
        ))}
      </dl>
    </Dialog>
  );
}
