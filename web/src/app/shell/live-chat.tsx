/** The live chat of every page: its button in the bar above, where it covers nothing, and the conversation, which is fetched when it is opened. */

import { Suspense, useEffect } from 'react';
import { useVisitor } from '../../features/support/visitor-store.ts';
import { loadTexts } from '../../lib/i18n.ts';
import { useSite } from '../../lib/queries/content.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { chatLabel, useShell } from '../../lib/shell-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { IconMessageCircle } from '../../ui/first-icons.ts';
import { themedPart } from '../../ui/part.tsx';
import { UnreadCount } from './unread-count.tsx';

const ChatWatch = themedPart(() => import('../../features/support/chat-watch.tsx'), 'unseen');
const ChatDialog = themedPart(async () => {
  const [dialog] = await Promise.all([import('../../features/support/chat-dialog.tsx'), loadTexts('support')]);
  return dialog;
}, 'over');
const loadChatwoot = () => import('../../features/support/chatwoot.ts');

export function ChatButton() {
  const { chatUnread, setChatOpen } = useShell();
  return (
    <IconButton size="lg" aria-label={chatLabel(chatUnread)} onClick={() => setChatOpen(true)}>
      <IconMessageCircle size={21} stroke={1.6} />
      <UnreadCount count={chatUnread} />
    </IconButton>
  );
}

export function LiveChat() {
  const { chatOpen, setChatOpen } = useShell();
  const chatwoot = useSite()?.chatwoot;
  const known = useVisitor((visitor) => visitor.token !== undefined);
  const signedIn = useSignedIn();
  useEffect(() => {
    if (!chatOpen || !chatwoot) return;
    void loadChatwoot().then(({ openChatwoot }) => openChatwoot(chatwoot));
    setChatOpen(false);
  }, [chatOpen, chatwoot, setChatOpen]);
  return (
    <>
      <Suspense>{(known || signedIn) && !chatwoot && <ChatWatch />}</Suspense>
      <Suspense>{chatOpen && !chatwoot && <ChatDialog />}</Suspense>
    </>
  );
}
