/** What a sign-in gave this browser, so that an account knows it again; it stays when the person signs out. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onDevice } from './storage.ts';

interface DeviceState {
  readonly secret: string | undefined;
  remember(secret: string | undefined): void;
}

export const useDevice = create<DeviceState>()(
  persist(
    (set) => ({
      secret: undefined,
      remember: (secret) => {
        if (secret !== undefined) set({ secret });
      },
    }),
    onDevice('cambist.device'),
  ),
);
