/** Why access was refused, until the notice is closed. Any way in, and the watch over the account, may say so. */
import type { restriction } from '@cambist/contract/accounts.ts';
import type { z } from 'zod';
import { create } from 'zustand';

export interface Block {
  readonly kind: 'FREEZE_ACCOUNT' | 'MAINTENANCE';
  readonly restriction: z.infer<typeof restriction> | undefined;
  /** Replaces the ordinary text for a frozen account. */
  readonly text?: string | undefined;
}

interface BlockState {
  readonly block: Block | undefined;
  setBlock(block: Block | undefined): void;
}

export const useBlock = create<BlockState>()((set) => ({
  block: undefined,
  setBlock: (block) => set({ block }),
}));
