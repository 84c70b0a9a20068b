import { describe, expect, it } from 'vitest';
import { evmElsewhere, tronElsewhere } from '../../../test/elsewhere.ts';
import { tronAddress } from '../chains/addresses.ts';
import { addressFault } from './addresses.ts';

const TRON = tronElsewhere(7);
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** Of EIP-55. */
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('an address that is typed', () => {
  it('is asked for where there is none (T-withdraw-44)', () => {
    expect(addressFault('TRC20', '')).toBe('empty');
  });

  it.each([TRON, tronElsewhere(200)])(
    'of TRC20 is good where it begins with T and its checksum fits: %s',
    (address) => {
      expect(addressFault('TRC20', address)).toBeUndefined();
    },
  );

  it('of TRC20 needs 34 characters (T-withdraw-40, T-withdraw-45)', () => {
    expect(addressFault('TRC20', TRON.slice(0, 33))).toBe('format');
  });

  it('of TRC20 begins with T (T-withdraw-39, T-withdraw-46)', () => {
    expect(addressFault('TRC20', `X${TRON.slice(1)}`)).toBe('network');
    expect(addressFault('TRC20', evmElsewhere(1))).toBe('network');
  });

  it('of ERC20 needs 42 characters (T-withdraw-42, T-withdraw-45)', () => {
    expect(addressFault('ERC20', evmElsewhere(1).slice(0, 41))).toBe('format');
  });

  it('of ERC20 begins with 0x (T-withdraw-41, T-withdraw-46)', () => {
    expect(addressFault('ERC20', `1x${evmElsewhere(1).slice(2)}`)).toBe('network');
    expect(addressFault('ERC20', BITCOIN)).toBe('network');
  });

  it('of Bitcoin has no shape that is asked for first; only its checksum counts (T-withdraw-43)', () => {
    expect(addressFault('BTC', BITCOIN)).toBeUndefined();
    expect(addressFault('BTC', 'bc1')).toBe('format');
    expect(addressFault('BTC', TRON)).toBe('network');
  });

  it('with a wrong checksum is refused like a wrong format', () => {
    const swapped = (text: string, at: number, to: string) => `${text.slice(0, at)}${to}${text.slice(at + 1)}`;
    expect(addressFault('TRC20', swapped(TRON, 20, TRON[20] === 'a' ? 'b' : 'a'))).toBe('format');
    expect(addressFault('BTC', swapped(BITCOIN, 20, BITCOIN[20] === 'q' ? 'p' : 'q'))).toBe('format');
    expect(addressFault('ERC20', CHECKSUMMED)).toBeUndefined();
    expect(addressFault('ERC20', CHECKSUMMED.toLowerCase())).toBeUndefined();
    expect(addressFault('ERC20', swapped(CHECKSUMMED, 4, 'A'))).toBeUndefined();
    expect(addressFault('ERC20', swapped(CHECKSUMMED, 4, 'a'))).toBe('format');
    expect(addressFault('ERC20', `${CHECKSUMMED}00`)).toBe('format');
  });

  it.each([
    ['ERC20', '0x0000000000000000000000000000000000000000'],
    ['ERC20', '0x000000000000000000000000000000000000dEaD'],
    ['BEP20', '0x0000000000000000000000000000000000000001'],
    ['BEP20', '0x0000000000000000000000000000000000001002'],
    ['ERC20', '0xdEAD000000000000000042069420694206942069'],
    ['ERC20', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
    ['TRC20', tronAddress('00'.repeat(20))],
    ['TRC20', tronAddress(`${'00'.repeat(18)}dead`)],
    ['BTC', '1111111111111111111114oLvT2'],
    ['BTC', '1BitcoinEaterAddressDontSendf59kuE'],
    ['BTC', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs'],
  ] as const)('from which no key spends is refused: %s %s', (network, address) => {
    expect(addressFault(network, address)).toBe('unspendable');
  });
});
