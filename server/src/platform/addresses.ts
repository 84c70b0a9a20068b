/** What kind of network an address is in. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Not of the public internet: IANA's special-purpose registries (RFC 6890), multicast, and what embeds an IPv4 address. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** An IPv4 address that is written as an IPv6 one, plainly. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Addresses that something is allowed from. */
export interface Networks {
  includes(address: string): boolean;
}

/** @param texts addresses and networks in CIDR notation, of either kind */
export function createNetworks(texts: readonly string[]): Networks {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const kind = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(prefix), kind);
  }
  return {
    includes(address) {
      const known = plain(address);
      if (isIPv4(known)) return list.check(known, 'ipv4');
      return isIPv6(known) && list.check(known, 'ipv6');
    },
  };
}

export function isLoopback(address: string): boolean {
  const known = plain(address);
  return isIPv4(known) ? loopback.check(known, 'ipv4') : isIPv6(known) && loopback.check(known, 'ipv6');
}

/** Whether anyone on the internet could be at this address: not our machine, our network, or reserved. */
export function isPublic(address: string): boolean {
  const known = plain(address);
  if (isIPv4(known)) return !special.check(known, 'ipv4');
  return isIPv6(known) && unicast.check(known, 'ipv6') && !special.check(known, 'ipv6');
}
