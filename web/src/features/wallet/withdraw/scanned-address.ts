/** The address in a QR code: alone, or in a link that asks for a payment. */

/** A bech32 address is written in capitals where the code should be small; its checksum knows only one case at a time. */
const BECH32 = /^(BC1|TB1|BCRT1)[0-9A-Z]+$/;

const MAINNET = '1';

/**
 * `ethereum:pay-<address>@<chain>/transfer?address=<recipient>` (EIP-681): of a token's transfer the recipient is in the
 * query, and what stands in front of it is the token's contract. Undefined for what is meant for another chain.
 */
function ofEthereum(rest: string): string | undefined {
  const [target = '', query = ''] = rest.split('?');
  const [head = '', action] = target.split('/');
  const [address = '', chain] = head.replace(/^pay-/, '').split('@');
  if (chain !== undefined && chain !== MAINNET) return undefined;
  if (action === undefined) return address;
  return action === 'transfer' ? (new URLSearchParams(query).get('address') ?? undefined) : undefined;
}

const plain = (rest: string): string => rest.replace(/^\/\//, '').split('?')[0] ?? '';

const SCHEMES: Readonly<Record<string, (rest: string) => string | undefined>> = {
  ethereum: ofEthereum,
  bitcoin: plain,
  tron: plain,
};

/** Undefined where the code holds no address that can be withdrawn to. */
export function scannedAddress(code: string): string | undefined {
  const text = code.trim();
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(text) ?? [];
  const address = scheme === undefined ? text : SCHEMES[scheme.toLowerCase()]?.(rest);
  if (!address || !/^[A-Za-z0-9]{20,100}$/.test(address)) return undefined;
  return BECH32.test(address) ? address.toLowerCase() : address;
}
