/** The signer as the server sees it, wherever it runs. */
import { join } from 'node:path';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Family } from '../funds/chains/addresses.ts';
import type { Intent, SignAnswer, SignedAttempt } from './intent.ts';
import type { Reserves, ReservesAnswer } from './reserves.ts';
import { SignedFile } from './signed-file.ts';
import { Signer, type SignerParts } from './signer.ts';

export type { Intent, SignAnswer, SignedAttempt, SignerRefusal } from './intent.ts';
export type { Policy } from './policy.ts';
export {
  type Holding,
  holding,
  isSignedBy,
  type Reserves,
  reservesAnswer,
  type SignedColdReserves,
  signedColdReserves,
  type UnreadCoin,
  unreadCoin,
  writeColdReserves,
} from './reserves.ts';

/** It did not answer: whether it has signed is unknown. The same question later has the same answer. */
export class SignerAway extends Error {
  override readonly name = 'SignerAway';
}

/** Each rejects with `SignerAway` while it cannot be reached. */
export interface SignerLink {
  /** In this process, as in development: whoever has the server has the keys. */
  readonly isInProcess: boolean;
  /** @param newest the name under which it has signed last, where who asks knows of one */
  sign(intent: Intent, newest?: string | null): Promise<SignAnswer>;
  /** What was signed under an id, in the order of the attempts. */
  signed(id: string): Promise<readonly SignedAttempt[]>;
  /** The extended public key of clients' addresses. */
  xpub(family: Family): Promise<string>;
  /** A client's address from the private keys, as people are shown it. */
  address(family: Family, index: number): Promise<string>;
  hotAddress(network: NetworkName): Promise<string>;
  /** Signs by each hot wallet that holds something in it. */
  reserves(statement: Reserves): Promise<ReservesAnswer>;
  /** Canonical, by its own policy; null where that names none. */
  coldAddress(network: NetworkName): Promise<string | null>;
}

/** @param folder of the server's data */
export function signerInProcess(folder: string, parts: Omit<SignerParts, 'signed'>): SignerLink {
  const signer = new Signer({ ...parts, signed: new SignedFile(join(folder, 'development-signed.jsonl'), 'make') });
  return {
    isInProcess: true,
    sign: (intent, newest) => signer.sign(intent, newest),
    signed: async (id) => signer.signed(id),
    xpub: async (family) => signer.xpub(family),
    address: async (family, index) => signer.address(family, index),
    hotAddress: async (network) => signer.hotAddress(network),
    reserves: (statement) => signer.reserves(statement),
    coldAddress: (network) => signer.coldAddress(network),
  };
}
