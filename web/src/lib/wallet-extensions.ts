/** Wallet extensions of this browser, as they announce themselves (EIP-6963). */
import type { EIP6963ProviderDetail } from 'mipd';

/** Extensions announce themselves within a moment of being asked. */
const ANNOUNCE_MS = 300;
/** The person pressed "reject" in the extension (EIP-1193). */
const REJECTED = 4001;

export async function findWallets(): Promise<readonly EIP6963ProviderDetail[]> {
  const { createStore } = await import('mipd');
  const store = createStore();
  await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_MS));
  const found = store.getProviders();
  store.destroy();
  return found;
}

/** Whether the person did not want it. */
export const isRejected = (problem: unknown): boolean => (problem as { code?: unknown } | null)?.code === REJECTED;
