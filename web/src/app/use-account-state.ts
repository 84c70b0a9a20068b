/** What happens to the account elsewhere takes effect here at once, and not at the next check. */
import type { StreamAccountState } from '@cambist/contract/stream.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountCheckQuery, SECURITY_KEY } from '../lib/queries/account.ts';
import { readUpTo } from '../lib/queries/held.ts';
import { useSession } from '../lib/session-store.ts';
import { privateStream } from '../lib/streams.ts';

export function useAccountState(): void {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  useEffect(() => {
    if (!token) return;
    const readAgain = () => {
      for (const key of [accountCheckQuery.queryKey, SECURITY_KEY]) void readUpTo(queries, key, undefined);
    };
    let heard = false;
    return privateStream.subscribe<StreamAccountState>(
      { channel: 'account-state' },
      {
        onPush: ({ data }) => {
          // Only the token that has ended: a newer session may have begun meanwhile.
          const over = data.some(({ kind }) => kind === 'session-ended') && useSession.getState().token === token;
          if (over) return useSession.getState().signOut('ended');
          // The server ended what was subscribed when it froze the account, or closed.
          if (data.some(({ kind }) => kind === 'unfrozen' || kind === 'maintenance-ended')) privateStream.restart();
          readAgain();
        },
        // The page has just read everything when the channel first opens; later it may have missed something.
        onReset: () => {
          if (heard) readAgain();
          heard = true;
        },
      },
    );
  }, [token, queries]);
}
