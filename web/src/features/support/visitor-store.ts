/** The token by which a visitor's conversations are found again from this browser. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from '../../lib/other-tabs.ts';
import { onDevice } from '../../lib/storage.ts';

interface VisitorState {
  readonly token: string | undefined;
  setToken(token: string | undefined): void;
}

export const useVisitor = create<VisitorState>()(
  persist((set) => ({ token: undefined, setToken: (token) => set({ token }) }), onDevice('cambist.support')),
);

// A tab that did not know of it would write its own over it, and the conversation would be lost.
followOtherTabs(useVisitor);
