/** Sign-in with a wallet: an EIP-4361 message of ours over a nonce that is good once, signed by the wallet's key. */
import type { Hex } from 'viem';
import { createExpiring } from '../../platform/expiring.ts';
import type { Site } from '../../platform/site.ts';

export interface WalletSignInDeps {
  readonly siteName: string;
  /** A node that contract wallets are asked at (EIP-1271); without one only key wallets can sign in. */
  readonly rpcUrl: string | undefined;
  readonly clock: { now(): number };
}

export interface WalletChallenge {
  readonly message: string;
  readonly nonce: string;
  readonly expires_at: number;
}

const LIFETIME_MS = 5 * 60_000;
const NONCES = 50_000;

/** Loaded when first needed: most processes start more often than a wallet signs in. */
const ethereum = () => Promise.all([import('viem'), import('viem/siwe')]);

export function createWalletSignIn({ siteName, rpcUrl, clock }: WalletSignInDeps) {
  /** The message that was given out, by its nonce: only exactly that one may come back. */
  const given = createExpiring<{ message: string; address: string }>(clock, { lifetimeMs: LIFETIME_MS, limit: NONCES });

  /** A contract answers for itself; a key is checked here, without a network. */
  async function isSigned(address: string, message: string, signature: string): Promise<boolean> {
    const [{ createPublicClient, http, verifyMessage }] = await ethereum();
    const signed = { address: address as Hex, message, signature: signature as Hex };
    try {
      if (await verifyMessage(signed)) return true;
    } catch {
      // Not the shape of a key's signature; a contract may still know it.
    }
    if (rpcUrl === undefined) return false;
    const transport = http(rpcUrl, { timeout: 5000, retryCount: 1, fetchOptions: { redirect: 'error' } });
    // A contract may name addresses to be asked for it (EIP-3668): whoever wrote it would choose where we ask.
    const client = createPublicClient({ transport, ccipRead: false });
    return client.verifyMessage(signed).catch(() => false);
  }

  return {
    async challenge(site: Site, address: string, chainId: number): Promise<WalletChallenge> {
      const [{ getAddress }, { createSiweMessage, generateSiweNonce }] = await ethereum();
      const nonce = generateSiweNonce();
      const now = clock.now();
      const message = createSiweMessage({
        domain: site.host,
        address: getAddress(address),
        statement: `Sign in to ${siteName}. This costs nothing and moves nothing.`,
        uri: site.origin,
        version: '1',
        chainId,
        nonce,
        issuedAt: new Date(now),
        expirationTime: new Date(now + LIFETIME_MS),
      });
      given.put(nonce, { message, address: address.toLowerCase() });
      return { message, nonce, expires_at: now + LIFETIME_MS };
    },

    /** Uses the nonce up only with `consume`, so that a second factor may be asked for in between. */
    async verify(address: string, message: string, signature: string): Promise<{ consume(): boolean } | undefined> {
      const [, { parseSiweMessage }] = await ethereum();
      const { nonce = '' } = parseSiweMessage(message);
      const known = given.peek(nonce);
      if (known === undefined || known.message !== message || known.address !== address.toLowerCase()) return undefined;
      if (await isSigned(address, message, signature)) return { consume: () => given.take(nonce) !== undefined };
      given.take(nonce);
      return undefined;
    },
  };
}

export type WalletSignIn = ReturnType<typeof createWalletSignIn>;
