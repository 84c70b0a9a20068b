/** Every key of the terminal. Single keys can be turned off, for who speaks to the computer or types by accident. */
import { Kbd, Switch } from '@mantine/core';
import '@mantine/core/styles/Kbd.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useDialogs } from '../dialogs.ts';
import { useTradePreferences } from '../trade-preferences.ts';
import { COMMANDS } from './commands.ts';
import classes from './keys-dialog.module.css';

function Keys({ keys }: { readonly keys: string }) {
  return (
    <>
      {keys.split('+').map((key) => (
        <Kbd key={key}>{key === 'shift' ? '⇧' : key}</Kbd>
      ))}
    </>
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
        <div>
          <dt>{t('Command palette')}</dt>
          <dd>
            <Keys keys="Ctrl+K" />
          </dd>
        </div>
        <div>
          <dt>{t('Leave a field')}</dt>
          <dd>
            <Keys keys="Esc" />
          </dd>
        </div>
        {COMMANDS.filter((command) => command.keys).map((command) => (
          <div key={command.id}>
            <dt>{t(command.label)}</dt>
            <dd>
              <Keys keys={command.keys ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
