/** An address as the eye compares it: in pieces of four characters, both ends set off where they are to be checked. */
import { Fragment } from 'react';
import classes from './address-groups.module.css';

const GROUP = 4;

export interface AddressGroup {
  /** Where it begins in the address. */
  readonly at: number;
  readonly text: string;
}

/** An address in pieces that the eye can compare, `0x` with the first; together they are the address. */
export function addressGroups(address: string): AddressGroup[] {
  const first = GROUP + (address.startsWith('0x') ? 2 : 0);
  const starts = Array.from({ length: Math.ceil((address.length - first) / GROUP) }, (_, at) => first + at * GROUP);
  return [
    { at: 0, text: address.slice(0, first) },
    ...starts.map((at) => ({ at, text: address.slice(at, at + GROUP) })),
  ];
}

interface AddressGroupsProps {
  readonly address: string;
  /** What swaps addresses makes the ends alike and trusts that the middle is not read; both are in view all the same. */
  readonly ends?: boolean;
}

/** In one line of text that may wrap between the pieces: what is selected and copied is the address, in one line. */
export function AddressGroups({ address, ends = false }: AddressGroupsProps) {
  return (
    <span className={classes.groups} translate="no" data-address={address} data-ends={ends}>
      {addressGroups(address).map(({ at, text }) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          <span data-end={at === 0 || at + text.length > address.length - GROUP}>{text}</span>
        </Fragment>
      ))}
    </span>
  );
}
