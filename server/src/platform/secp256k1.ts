/** Whose signature it is: ECDSA over secp256k1, as Ethereum and TRON write it, r, s and a byte for which of two keys. */

/** The last byte is 0 or 1, or as most write it, 27 or 28. Ethereum's older transactions have others; none of ours do. */
const SIGNATURE = /^0x[0-9a-f]{128}(0[01]|1[bc])$/i;

export interface Signed {
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly signature: string;
}

type Keys = typeof import('ox/Secp256k1');
type Hex = `0x${string}`;

async function recovered(
  { digest, signature }: Signed,
  read: (keys: Keys, signed: { payload: Uint8Array; signature: Hex }) => Hex,
): Promise<Hex | undefined> {
  if (!SIGNATURE.test(signature)) return undefined;
  const keys = await import('ox/Secp256k1');
  try {
    return read(keys, { payload: digest, signature: signature as Hex });
  } catch {
    return undefined;
  }
}

/** @returns in hex, 65 bytes; undefined where no key could have signed so */
export const publicKeyBehind = (signed: Signed): Promise<Hex | undefined> =>
  recovered(signed, (keys, of) => keys.recoverPublicKey({ ...of, as: 'Hex' }));

/** @returns of Ethereum; undefined where no key could have signed so */
export const addressBehind = (signed: Signed): Promise<Hex | undefined> =>
  recovered(signed, (keys, of) => keys.recoverAddress(of));
