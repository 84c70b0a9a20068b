/** What belongs to the whole terminal: alerts, the arrangement of its panels and the keys. */

import { ActionIcon } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useShell } from '../../lib/shell-store.ts';
import { IconBell } from '../../ui/first-icons.ts';
import { IconArrowsExchange } from '../../ui/icons.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { useDialogs } from './dialogs.ts';
import { IconKeyboard, IconLayoutDashboard } from './icons.ts';
import classes from './pair-header.module.css';
import { useTerminal } from './terminal.ts';
import { ToolButton } from './tool-button.tsx';

const SIZE = 30;
const loadLayoutMenu = async () => (await import('./layout/layout-menu.tsx')).LayoutMenu;

export function HeaderTools() {
  const show = useDialogs((store) => store.show);
  const openTransfer = useShell((shell) => shell.openTransfer);
  const { market } = useTerminal();
  const signedIn = useSignedIn();
  return (
    <div className={classes.tools}>
      {signedIn && <ToolButton label={t('Price alerts')} Icon={IconBell} size={SIZE} onClick={() => show('alerts')} />}
      {signedIn && (
        <ToolButton
          label={t('Transfer')}
          Icon={IconArrowsExchange}
          size={SIZE}
          onClick={() => openTransfer(market === 'futures' ? { to: 'FUTURE' } : {})}
        />
      )}
      {/* Only where the window has room for an arrangement of one's own. */}
      <OnDemand
        load={loadLayoutMenu}
        trigger={
          <ActionIcon
            className={classes.layout ?? ''}
            variant="subtle"
            color="gray"
            size={SIZE}
            aria-label={t('Layout')}
          >
            <IconLayoutDashboard size={18} stroke={1.6} />
          </ActionIcon>
        }
      />
      <ToolButton
        className={classes.keys}
        label={t('Keys')}
        Icon={IconKeyboard}
        size={SIZE}
        onClick={() => show('keys')}
      />
    </div>
  );
}
