/**
 * Confirming that it is the person. Any call may be refused until they have; `call` then asks here, the shell shows the
 * dialog, and the call goes out once more.
 */
import type { Problem } from '@cambist/contract/problem.ts';
import { create } from 'zustand';

export type StepUpNeed = NonNullable<Problem['step_up']>;

interface StepUpState {
  readonly need: StepUpNeed | undefined;
  /** Resolves with whether the person has confirmed. A question that is still open is answered with no. */
  ask(need: StepUpNeed): Promise<boolean>;
  answer(confirmed: boolean): void;
}

let settle: ((confirmed: boolean) => void) | undefined;

export const useStepUp = create<StepUpState>()((set) => ({
  need: undefined,
  ask: (need) => {
    settle?.(false);
    set({ need });
    return new Promise((resolve) => {
      settle = resolve;
    });
  },
  answer: (confirmed) => {
    set({ need: undefined });
    settle?.(confirmed);
    settle = undefined;
  },
}));
