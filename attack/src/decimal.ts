/** Exact decimals for the crash client's own sums: units of 10⁻¹⁸, so that a price times a quantity stays whole. */
const SCALE = 18;
const ONE = 10n ** BigInt(SCALE);

/** @throws on what is no plain decimal, or has more places than are kept */
export function units(text: string): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = parts?.[3] ?? '';
  if (parts === null || fraction.length > SCALE) throw new Error(`No decimal: ${text}`);
  const size = BigInt(parts[2] + fraction.padEnd(SCALE, '0'));
  return parts[1] === '-' ? -size : size;
}

/** Exact, or it throws: no figure of the exchange needs more places than are kept. */
export function times(left: bigint, right: bigint): bigint {
  const product = left * right;
  if (product % ONE !== 0n) throw new Error('A product needs more places than are kept');
  return product / ONE;
}

export function text(amount: bigint): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = String(size % ONE)
    .padStart(SCALE, '0')
    .replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${size / ONE}${fraction && `.${fraction}`}`;
}
