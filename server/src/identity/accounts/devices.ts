/**
 * Who is known to an account, so that what strangers guess does not slow its owner. A successful sign-in gives the
 * browser a secret that is good for nothing else; it ends after 90 days without use and with all sessions, because it
 * may be in the same hands as one of them. Without it, a network from which the account was signed in to lately
 * is known too.
 */
import type { Origin } from '../../platform/origin.ts';
import { hashToken, newToken } from '../../platform/random-token.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { DeviceStore } from './device-store.ts';

/** Each has counts of its own; all strangers of an account share theirs. */
export interface Lane {
  readonly kind: 'device' | 'network' | 'stranger';
  readonly key: string;
}

export interface DeviceDeps {
  readonly store: DeviceStore;
  readonly clock: { now(): number };
}

const DAY_MS = 86_400_000;
const LIFETIME_MS = 90 * DAY_MS;
const KNOWN_NETWORK_MS = 30 * DAY_MS;
const DEVICES_PER_CLIENT = 10;
/** No client has this number: an unknown identifier costs the same work as a known one. */
const NO_CLIENT = 0;

export function createDevices({ store, clock }: DeviceDeps) {
  return {
    async laneOf(clientId: number | undefined, { device, address }: Origin): Promise<Lane> {
      const client = clientId ?? NO_CLIENT;
      const id = device && (await store.deviceOf(client, hashToken(device), clock.now()));
      if (id) return { kind: 'device', key: `device:${id}` };
      const network = networkOf(address);
      const known = await store.addressesSince(client, clock.now() - KNOWN_NETWORK_MS);
      if (known.some((one) => networkOf(one) === network)) return { kind: 'network', key: `network:${network}` };
      return { kind: 'stranger', key: 'strangers' };
    },
    /** @returns a secret for a browser that has none of ours yet; undefined for one that has */
    async remember(clientId: number, { device }: Origin): Promise<string | undefined> {
      const now = clock.now();
      const isKnown = device !== undefined && (await store.isKnown(hashToken(device), now));
      const secret = isKnown ? device : newToken();
      const kept = { secretHash: hashToken(secret), now, expiresAt: now + LIFETIME_MS };
      await store.saveDevice(clientId, kept, DEVICES_PER_CLIENT);
      return isKnown ? undefined : secret;
    },
    deleteExpired: () => store.deleteExpiredDevices(clock.now()),
  };
}

export type Devices = ReturnType<typeof createDevices>;
