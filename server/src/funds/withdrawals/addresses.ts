/** Whether coins may be sent to what a person has typed, as far as the text alone says. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type BitcoinNetwork, FAMILIES, type Family, familyOf, isAddressOf, isUnspendable } from '../chains/service.ts';

/**
 * `format`: too short, or its checksum is wrong. `network`: an address of another network. `unspendable`: no key spends from
 * there.
 */
export type AddressFault = 'empty' | 'format' | 'network' | 'unspendable';

/** What can be seen without a computation. Of Bitcoin there are several kinds, so nothing is asked beforehand. */
const shapes: Readonly<Partial<Record<Family, { readonly prefix: string; readonly length: number }>>> = {
  TRON: { prefix: 'T', length: 34 },
  EVM: { prefix: '0x', length: 42 },
};

/** The first thing that is wrong: the rules of the documents, then the checksum of the real format. */
export function addressFault(
  network: NetworkName,
  text: string,
  bitcoin: BitcoinNetwork = 'mainnet',
): AddressFault | undefined {
  const family = familyOf(network);
  const shape = shapes[family];
  if (text === '') return 'empty';
  if (shape !== undefined && text.length < shape.length) return 'format';
  if (shape !== undefined && !text.startsWith(shape.prefix)) return 'network';
  if (isAddressOf(family, text, bitcoin)) return isUnspendable(family, text, bitcoin) ? 'unspendable' : undefined;
  return FAMILIES.some((other) => other !== family && isAddressOf(other, text, bitcoin)) ? 'network' : 'format';
}
