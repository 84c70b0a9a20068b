/** Tabs of one browser have one session: what one of them does to it, the others follow. */
import { keptBy, whenKeptElsewhere } from '../lib/other-tabs.ts';
import { returnPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';

type Session = ReturnType<typeof useSession.getState>;

function follow(kept: Partial<Session>): void {
  const { token, user, signOut } = useSession.getState();
  if (!kept.token) {
    if (token) signOut('ended');
  } else if (token && kept.user?.id !== user?.id) {
    // Another client: nothing that the page shows, or that was typed in it, is theirs.
    window.location.reload();
  } else {
    void useSession.persist.rehydrate();
    if (!token && window.location.pathname === '/signin') leaveSignIn(kept);
  }
}

function leaveSignIn({ client }: Partial<Session>): void {
  const home = client?.role === 'operator' ? '/admin' : '/wallet';
  window.location.replace(returnPath(new URLSearchParams(window.location.search), home));
}

/** A tab that went on with its own would show a client who has left, and write them over the one who is there now. */
export function followSession(): void {
  whenKeptElsewhere(useSession, () => follow(keptBy(useSession)));
}
