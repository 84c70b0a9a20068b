/** Who is signed in, kept across visits. Everything here goes when the person signs out. */
import type { client, user } from '@cambist/contract/accounts.ts';
import type { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onDevice } from './storage.ts';

export type User = z.infer<typeof user>;
export type Client = z.infer<typeof client>;

interface SessionState {
  readonly token: string | undefined;
  readonly user: User | undefined;
  readonly client: Client | undefined;
  /** Until when this session may place orders without the transaction password; 0 when locked. Milliseconds. */
  readonly unlockedUntil: number;
  /** The server ended it, and the person has not been told yet. */
  readonly ended: boolean;
  signIn(session: { token: string; user: User; client: Client }): void;
  setClient(client: Client): void;
  setUnlockedUntil(time: number): void;
  /** @param why undefined when the person asked for it, or is told in another way */
  signOut(why?: 'ended'): void;
}

const signedOut = { token: undefined, user: undefined, client: undefined, unlockedUntil: 0, ended: false };

export const useSession = create<SessionState>()(
  persist(
    (set) => ({
      ...signedOut,
      signIn: ({ token, user, client }) => set({ ...signedOut, token, user, client }),
      setClient: (client) => set({ client, user: client.user }),
      setUnlockedUntil: (unlockedUntil) => set({ unlockedUntil }),
      signOut: (why) => set({ ...signedOut, ended: why === 'ended' }),
    }),
    onDevice('cambist.session'),
  ),
);

/** For what goes with a session, in a page that goes on after it. */
export function atSessionEnd(listener: () => void): void {
  useSession.subscribe(({ token }, before) => {
    if (before.token !== undefined && token === undefined) listener();
  });
}

export function useSignedIn(): boolean {
  return useSession((session) => session.token !== undefined);
}
