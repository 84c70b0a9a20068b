/** What belongs to the whole terminal: alerts, the arrangement of its panels, and the keys. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell, IconKeyboard, IconMessageCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { t } from '../../lib/i18n.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { chatLabel, useShell } from '../../lib/shell-store.ts';
import { useDialogs } from './dialogs.ts';
import { LayoutMenu } from './layout/layout-menu.tsx';
import classes from './pair-header.module.css';

export function HeaderTools() {
  const show = useDialogs((store) => store.show);
  const signedIn = useSignedIn();
  return (
    <div className={classes.tools}>
      {signedIn && (
        <Tooltip label={t('Price alerts')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={t('Price alerts')}
            onClick={() => show('alerts')}
          >
            <IconBell size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      <LayoutMenu />
      <Tooltip label={t('Keys')}>
        <ActionIcon
          className={classes.keys ?? ''}
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t('Keys')}
          onClick={() => show('keys')}
        >
          <IconKeyboard size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <ChatTool />
    </div>
  );
}

/** In place of the shell's corner where there is room: figures stand down to the edge here, and nothing may lie over them. */
function ChatTool() {
  const { chatUnread, setChatOpen, setChatHasTool } = useShell();
  useEffect(() => {
    setChatHasTool(true);
    return () => setChatHasTool(false);
  }, [setChatHasTool]);
  return (
    <Tooltip label={t('Live chat')}>
      <ActionIcon
        className={classes.chat ?? ''}
        variant="subtle"
        color={chatUnread > 0 ? 'accent' : 'gray'}
        size={30}
        aria-label={chatLabel(chatUnread)}
        onClick={() => setChatOpen(true)}
      >
        <IconMessageCircle size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
