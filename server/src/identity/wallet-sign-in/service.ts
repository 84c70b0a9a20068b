/** Sign-in with a wallet: an EIP-4361 message of ours over a nonce that is good once, signed by the wallet's key. */
import { createExpiring } from '../../platform/expiring.ts';
import { callNode } from '../../platform/node-http.ts';
import { addressBehind } from '../../platform/secp256k1.ts';
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

const NODE_TIMEOUT_MS = 5_000;
/** Of no key; a chain answers it where a signature is of none. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

type Hex = `0x${string}`;

interface Signed {
  readonly address: Hex;
  /** 32 bytes. */
  readonly digest: Hex;
  readonly signature: Hex;
}

/**
 * Asks the contract at the address, or the one that its maker would put there (EIP-6492): a program that no chain keeps is run by
 * the node, and answers 1 where the signature is good. Addresses that a contract names to be asked for it (EIP-3668) are not
 * asked: whoever wrote it would choose where we ask.
 */
async function isOfContract(rpcUrl: string, { address, digest, signature }: Signed): Promise<boolean> {
  const [{ encode, from }, { concat }, { universalSignatureValidatorBytecode: program }] = await Promise.all([
    import('ox/AbiParameters'),
    import('ox/Hex'),
    import('ox/erc6492/SignatureErc6492'),
  ]);
  try {
    const data = concat(program, encode(from('address, bytes32, bytes'), [address, digest, signature]));
    const answer = await callNode({ url: rpcUrl, timeoutMs: NODE_TIMEOUT_MS }, 'eth_call', [{ data }, 'latest']);
    return typeof answer === 'string' && /^0x0*1$/.test(answer);
  } catch {
    // What is no signature for the contract ends its program.
    return false;
  }
}

export function createWalletSignIn({ siteName, rpcUrl, clock }: WalletSignInDeps) {
  /** The message that was given out, by its nonce: only exactly that one may come back. */
  const given = createExpiring<{ message: string; address: string }>(clock, { lifetimeMs: LIFETIME_MS, limit: NONCES });

  async function isSigned(address: string, message: string, signature: string): Promise<boolean> {
    const [{ getSignPayload }, { fromString }] = await Promise.all([import('ox/PersonalMessage'), import('ox/Hex')]);
    const digest = getSignPayload(fromString(message));
    const signed = { address: address.toLowerCase() as Hex, digest, signature: signature as Hex };
    if (signed.address === ZERO_ADDRESS) return false;
    const signer = await addressBehind({ digest: Buffer.from(digest.slice(2), 'hex'), signature });
    // What is no key's signature, or another's, may be one that a contract knows.
    if (signer?.toLowerCase() === signed.address) return true;
    return rpcUrl !== undefined && isOfContract(rpcUrl, signed);
  }

  return {
    async challenge(site: Site, address: string, chainId: number): Promise<WalletChallenge> {
      const [{ checksum }, { createMessage, generateNonce }] = await Promise.all([
        import('ox/Address'),
        import('ox/Siwe'),
      ]);
      const nonce = generateNonce();
      const now = clock.now();
      const message = createMessage({
        domain: site.host,
        address: checksum(address as Hex),
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
      const { parseMessage } = await import('ox/Siwe');
      const { nonce = '' } = parseMessage(message);
      const known = given.peek(nonce);
      if (known === undefined || known.message !== message || known.address !== address.toLowerCase()) return undefined;
      if (await isSigned(address, message, signature)) return { consume: () => given.take(nonce) !== undefined };
      given.take(nonce);
      return undefined;
    },
  };
}

export type WalletSignIn = ReturnType<typeof createWalletSignIn>;
