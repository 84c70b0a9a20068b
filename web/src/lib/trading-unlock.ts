/** Orders and transfers without the transaction password for some minutes, by the person's own choice, on this device. */
import { lockTrading, unlockMinutes, unlockTrading } from '@cambist/contract/accounts.ts';
import { useEffect, useState } from 'react';
import { call } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import { exchangeTime } from './exchange-time.ts';
import { useSession } from './session-store.ts';

export type UnlockMinutes = (typeof unlockMinutes)[number];
export const UNLOCK_MINUTES: readonly UnlockMinutes[] = unlockMinutes;

export interface Confirmation {
  /** Absent while the session is unlocked. */
  readonly password?: string;
  /** Minutes to stay unlocked for; absent asks again for the next order. */
  readonly unlockFor?: UnlockMinutes | undefined;
}

/** False for a wrong password. */
async function unlock(password: string, minutes: UnlockMinutes): Promise<boolean> {
  const answer = await call(unlockTrading, { body: { transaction_password: password, minutes } });
  if (answer.message !== 'success') return false;
  useSession.getState().setUnlockedUntil(answer.unlocked_until ?? 0);
  return true;
}

/** The unlock of this page has ended on the server: locked from another device, or revoked with a changed password. */
const isLocked = (error: unknown) => error instanceof ApiProblem && error.code === 'TRANSACTION_PASSWORD_REQUIRED';

/**
 * Sends with the transaction password, or without it after an unlock for the minutes that the person has chosen.
 * Undefined for a wrong password, and for none where one is needed.
 */
export async function signed<Answer extends { readonly message: string }>(
  { password, unlockFor }: Confirmation,
  send: (secret: { readonly transaction_password?: string }) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (password && unlockFor && !(await unlock(password, unlockFor))) return undefined;
  try {
    const answer = await send(password ? { transaction_password: password } : {});
    return answer.message === 'wrong_transaction_password' ? undefined : answer;
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

/** The server said that it is locked, whatever this page believed. */
export function forgetUnlock(): void {
  useSession.getState().setUnlockedUntil(0);
}

export async function lock(): Promise<void> {
  forgetUnlock();
  await call(lockTrading);
}

/** Whether orders may go out without the transaction password now. */
export function isUnlocked(): boolean {
  return useSession.getState().unlockedUntil > exchangeTime();
}

/** The same, drawn again when the time is over. Milliseconds; 0 while locked. */
export function useUnlockedUntil(): number {
  const until = useSession((session) => session.unlockedUntil);
  const [now, setNow] = useState(exchangeTime);
  useEffect(() => {
    const left = until - exchangeTime();
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(exchangeTime()), left);
    return () => clearTimeout(timer);
  }, [until]);
  return until > Math.max(now, exchangeTime()) ? until : 0;
}
