/** The live chat: the person's conversations, one of them, or a new one. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useShell } from '../../lib/shell-store.ts';
import { IconChevronLeft } from '../../ui/first-icons.ts';

import { Sheet } from '../../ui/sheet.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './chat.module.css';
import { ConversationList } from './conversation-list.tsx';
import { NewConversation } from './new-conversation.tsx';
import { useConversations } from './support-queries.ts';
import { Thread } from './thread.tsx';

/** What is in the drawer; a number is a conversation. */
type View = 'list' | 'new' | number;

export default function ChatDialog() {
  const { chatOpen, setChatOpen } = useShell();
  return (
    <Sheet
      opened={chatOpen}
      onClose={() => setChatOpen(false)}
      position="right"
      size={420}
      title={t('Live chat')}
      classNames={{ content: classes.drawer ?? '', body: classes.body ?? '' }}
    >
      <Chat />
    </Sheet>
  );
}

function Chat() {
  const [wanted, setView] = useState<View>('list');
  const { data, error, isLoading, refetch } = useConversations(true);
  if (isLoading) return <SkeletonRows rows={4} columns={2} />;
  // Who writes to us because the connection comes and goes is not interrupted each time that it goes.
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const known = data?.conversations ?? [];
  // Who has no conversation yet came to begin one.
  const view = wanted === 'list' && known.length === 0 ? 'new' : wanted;
  return (
    <>
      {view !== 'list' && known.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.back ?? ''}
          leftSection={<IconChevronLeft size={16} />}
          onClick={() => setView('list')}
        >
          {t('All conversations')}
        </Button>
      )}
      {view === 'list' && <ConversationList conversations={known} onOpen={setView} onNew={() => setView('new')} />}
      {view === 'new' && <NewConversation onOpened={setView} />}
      {typeof view === 'number' && <Thread key={view} id={view} />}
    </>
  );
}
