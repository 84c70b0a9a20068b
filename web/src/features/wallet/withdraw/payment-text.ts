/** What a QR code or a pasted text asks to be paid: an address alone, or a link with an amount. */

export interface Payment {
  readonly address: string;
  /** Of which coin, and how much of it, where the link says so. */
  readonly amount?: { readonly coin: string; readonly value: string };
}

/** A bech32 address is written in capitals where the code should be small; its checksum knows only one case at a time. */
const BECH32 = /^(BC1|TB1|BCRT1)[0-9A-Z]+$/;

const MAINNET = '1';
const ETHER_DECIMALS = 18;

const paramOf = (query: string, name: string): string | undefined => new URLSearchParams(query).get(name) ?? undefined;

/** Only what is a plain positive amount: anything else is left to the person. */
const amountIn = (coin: string, value: string | undefined): Payment['amount'] =>
  value !== undefined && /^\d{1,15}(\.\d{1,18})?$/.test(value) && /[1-9]/.test(value) ? { coin, value } : undefined;

/** `2.014e18` of the smallest unit (EIP-681) as a decimal of the coin; undefined for what is no whole number of it. */
function ofSmallest(text: string): string | undefined {
  const [, whole = '', part = '', exponent = '0'] = /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE](\d{1,2}))?$/.exec(text) ?? [];
  const zeros = Number(exponent) - part.length;
  if (whole === '' || zeros < 0) return undefined;
  const digits = `${whole}${part}${'0'.repeat(zeros)}`.padStart(ETHER_DECIMALS + 1, '0');
  const at = digits.length - ETHER_DECIMALS;
  return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/^0+(?=\d)/, '').replace(/\.?0+$/, '');
}

/**
 * `ethereum:pay-<address>@<chain>/transfer?address=<recipient>` (EIP-681): of a token's transfer the recipient is in the
 * query, and what stands in front of it is the token's contract. Undefined for what is meant for another chain.
 */
function ofEthereum(rest: string): Payment | undefined {
  const [target = '', query = ''] = rest.split('?');
  const [head = '', action] = target.split('/');
  const [address = '', chain] = head.replace(/^pay-/, '').split('@');
  if (chain !== undefined && chain !== MAINNET) return undefined;
  if (action === undefined) {
    const value = paramOf(query, 'value');
    return withAmount(address, amountIn('ETH', value === undefined ? undefined : ofSmallest(value)));
  }
  // How many decimals the token has is not in the link.
  const recipient = action === 'transfer' ? paramOf(query, 'address') : undefined;
  return recipient === undefined ? undefined : { address: recipient };
}

const withAmount = (address: string, amount: Payment['amount']): Payment =>
  amount === undefined ? { address } : { address, amount };

const plain =
  (coin: string) =>
  (rest: string): Payment => {
    const [address = '', query = ''] = rest.replace(/^\/\//, '').split('?');
    return withAmount(address, amountIn(coin, paramOf(query, 'amount')));
  };

const SCHEMES: Readonly<Record<string, (rest: string) => Payment | undefined>> = {
  ethereum: ofEthereum,
  bitcoin: plain('BTC'),
  tron: plain('TRX'),
};

/** Undefined where the text holds no address that can be withdrawn to. */
export function readPayment(text: string): Payment | undefined {
  const trimmed = text.trim();
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(trimmed) ?? [];
  const payment = scheme === undefined ? { address: trimmed } : SCHEMES[scheme.toLowerCase()]?.(rest);
  if (!payment || !/^[A-Za-z0-9]{20,100}$/.test(payment.address)) return undefined;
  return BECH32.test(payment.address) ? { ...payment, address: payment.address.toLowerCase() } : payment;
}
