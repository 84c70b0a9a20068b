/** Who is signed in, kept across visits. Everything here goes when the person signs out. */
import type { client, user } from '@cambist/contract/accounts.ts';
import type { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type User = z.infer<typeof user>;
export type Client = z.infer<typeof client>;

interface SessionState {
  readonly token: string | undefined;
  readonly user: User | undefined;
  readonly client: Client | undefined;
  /** Until when this session may place orders without the transaction password; 0 when locked. Milliseconds. */
  readonly unlockedUntil: number;
  signIn(session: { token: string; user: User; client: Client }): void;
  setClient(client: Client): void;
  setUnlockedUntil(time: number): void;
  signOut(): void;
}

const signedOut = { token: undefined, user: undefined, client: undefined, unlockedUntil: 0 };

export const useSession = create<SessionState>()(
  persist(
    (set) => ({
      ...signedOut,
      signIn: ({ token, user, client }) => set({ token, user, client, unlockedUntil: 0 }),
      setClient: (client) => set({ client, user: client.user }),
      setUnlockedUntil: (unlockedUntil) => set({ unlockedUntil }),
      signOut: () => set(signedOut),
    }),
    { name: 'cambist.session' },
  ),
);

export function useSignedIn(): boolean {
  return useSession((session) => session.token !== undefined);
}
