/**
 * Tabs of one browser share what its stores keep. What one changes, the others follow: a tab that went on with its own would
 * show a client who has left, and write them over the one who is there now.
 */
import { useHiddenBalances } from '../lib/hidden-balances.ts';
import { usePreferences } from '../lib/preferences-store.ts';
import { returnPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';

type Session = ReturnType<typeof useSession.getState>;

function keptSession(name: string): Partial<Session> {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? '{}') as { state?: Partial<Session> }).state ?? {};
  } catch {
    // Another hand wrote it.
    return {};
  }
}

function followSession(name: string): void {
  const { token, user, signOut } = useSession.getState();
  const kept = keptSession(name);
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

const followers: Readonly<Record<string, (name: string) => void>> = {
  'cambist.session': followSession,
  'cambist.preferences': () => void usePreferences.persist.rehydrate(),
  'cambist.hidden-balances': () => void useHiddenBalances.persist.rehydrate(),
};

export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    // Without a name, all that was kept is gone.
    for (const name of key === null ? Object.keys(followers) : [key]) followers[name]?.(name);
  });
}
