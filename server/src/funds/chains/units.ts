/** Smallest units of a chain and of the ledger. */

export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Smallest units of decimal text; undefined where it has more decimals than the chain, or is no plain decimal. */
export function unitsOf(text: string, scale: number): bigint | undefined {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || decimals.length > scale) return undefined;
  return BigInt(whole + decimals.padEnd(scale, '0'));
}

export interface LedgerAmount {
  /** Smallest units of the ledger, rounded down. */
  readonly amount: bigint;
  /** Smallest units of the chain that the ledger cannot hold; at least zero. */
  readonly rest: bigint;
}

/** What units of a chain are in the ledger. `units` may be below zero where dust was taken back before. */
export function ledgerAmount(units: bigint, chainScale: number, ledgerScale: number): LedgerAmount {
  if (chainScale <= ledgerScale) return { amount: units * 10n ** BigInt(ledgerScale - chainScale), rest: 0n };
  const factor = 10n ** BigInt(chainScale - ledgerScale);
  const rest = ((units % factor) + factor) % factor;
  return { amount: (units - rest) / factor, rest };
}
