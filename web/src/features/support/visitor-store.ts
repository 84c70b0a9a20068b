/** The token by which a visitor's conversations are found again from this browser. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onDevice } from '../../lib/storage.ts';

interface VisitorState {
  readonly token: string | undefined;
  setToken(token: string | undefined): void;
}

export const useVisitor = create<VisitorState>()(
  persist((set) => ({ token: undefined, setToken: (token) => set({ token }) }), onDevice('cambist.support')),
);
