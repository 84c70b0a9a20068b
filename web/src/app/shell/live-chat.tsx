/** The way to a person, in a corner of every page. The conversation itself is fetched when it is opened. */

import { Suspense, useEffect } from 'react';
import { useVisitor } from '../../features/support/visitor-store.ts';
import { loadTexts } from '../../lib/i18n.ts';
import { useSite } from '../../lib/queries/content.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { chatLabel, useShell } from '../../lib/shell-store.ts';
import { IconMessageCircle } from '../../ui/icons.ts';
import { themedPart } from '../../ui/part.tsx';
import classes from './chat-corner.module.css';

const ChatWatch = themedPart(() => import('../../features/support/chat-watch.tsx'), 'unseen');
const ChatDialog = themedPart(async () => {
  const [dialog] = await Promise.all([import('../../features/support/chat-dialog.tsx'), loadTexts('support')]);
  return dialog;
}, 'over');
const loadChatwoot = () => import('../../features/support/chatwoot.ts');

interface ChatCornerProps {
  /** On the terminal the button is among its tools: figures stand down to the edge, and nothing may lie over them. */
  readonly raised: boolean;
}

export function ChatCorner({ raised }: ChatCornerProps) {
  const { chatOpen, setChatOpen, chatUnread, chatNeedsCorner } = useShell();
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
      <button
        type="button"
        className={`${classes.corner} ${raised ? classes.raised : ''} ${raised && !chatNeedsCorner ? classes.elsewhere : ''}`}
        aria-label={chatLabel(chatUnread)}
        onClick={() => setChatOpen(true)}
      >
        <IconMessageCircle size={22} stroke={1.6} />
        {chatUnread > 0 && <span className={classes.unread}>{chatUnread}</span>}
      </button>
      <Suspense>{(known || signedIn) && !chatwoot && <ChatWatch />}</Suspense>
      <Suspense>{chatOpen && !chatwoot && <ChatDialog />}</Suspense>
    </>
  );
}
