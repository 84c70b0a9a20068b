import type { conversation } from '@cambist/contract/support.ts';
import { Button } from '@mantine/core';
import type { z } from 'zod';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import classes from './chat.module.css';

interface ConversationListProps {
  readonly conversations: readonly z.infer<typeof conversation>[];
  readonly onOpen: (id: number) => void;
  readonly onNew: () => void;
}

export function ConversationList({ conversations, onOpen, onNew }: ConversationListProps) {
  return (
    <>
      <ul className={classes.list}>
        {conversations.map(({ id, subject, last_message, updated_at, unread, state }) => (
          <li key={id}>
            <button type="button" className={classes.entry} onClick={() => onOpen(id)}>
              <span className={classes.subject}>
                {subject}
                {unread > 0 && <span className={classes.unread}>{t('{{count}} new', { count: unread })}</span>}
              </span>
              <span className={classes.last}>{last_message}</span>
              <span className={classes.about}>
                {formatDateTime(updated_at)}
                {state === 'closed' && ` · ${t('Closed')}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button onClick={onNew} className={classes.foot ?? ''}>
        {t('New conversation')}
      </Button>
    </>
  );
}
