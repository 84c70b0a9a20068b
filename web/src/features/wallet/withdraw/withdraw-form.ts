/** What a client has entered to withdraw, what is wrong with it, and what of it arrives. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { compare, type Decimal, decimal, parseDecimal, ratio, subtract, ZERO } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';

export type AddressProblem = 'EMPTY' | 'FORMAT' | 'MISMATCH';

const ADDRESS_TEXTS: Readonly<Record<AddressProblem, string>> = {
  EMPTY: msg('Please enter Recipient Address'),
  FORMAT: msg(
    'The withdrawal address format is wrong. Please check the withdrawal address length and character content and try again.',
  ),
  MISMATCH: msg('This address does not match the currently selected primary network.'),
};

interface Shape {
  readonly start: string;
  readonly length: number;
}

const EVM: Shape = { start: '0x', length: 42 };
/** Bitcoin's addresses have no shape of one start and length; their checksum is the server's to check. */
const SHAPES: Readonly<Partial<Record<NetworkName, Shape>>> = {
  TRC20: { start: 'T', length: 34 },
  ERC20: EVM,
  BEP20: EVM,
};

/** By the shape alone: whether the address exists on its chain is checked by its checksum, on the server. */
export function addressProblem(address: string, network: NetworkName | undefined): AddressProblem | undefined {
  const text = address.trim();
  if (text === '') return 'EMPTY';
  const shape = network && SHAPES[network];
  if (!shape) return undefined;
  if (text.length < shape.length) return 'FORMAT';
  return text.startsWith(shape.start) ? undefined : 'MISMATCH';
}

export const addressText = (problem: AddressProblem): string => t(ADDRESS_TEXTS[problem]);

/** One that is too short leaves the button as it is: it refuses with words instead. */
export const blocksButton = (problem: AddressProblem | undefined): boolean =>
  problem === 'EMPTY' || problem === 'MISMATCH';

interface Room {
  /** The least that the network takes; undefined while none is chosen. */
  readonly minimum: Decimal | undefined;
  /** Undefined, as is the next, while it is not known. */
  readonly available: Decimal | undefined;
  /** What of it may leave now. */
  readonly withdrawable: Decimal | undefined;
}

/** Of an amount above what there is: it is stated while it is typed, as more digits cannot mend it. */
export function excessProblem(
  amount: string,
  { available, withdrawable }: Pick<Room, 'available' | 'withdrawable'>,
): string | undefined {
  const value = parseDecimal(amount);
  if (!value) return undefined;
  if (available && compare(value, available) > 0) {
    return t('Amount must be less than or equal to your balance ({{balance}})', { balance: formatExact(available) });
  }
  if (withdrawable && compare(value, withdrawable) > 0) {
    return t('Only {{amount}} can be withdrawn now. The rest is locked until recent deposits are confirmed.', {
      amount: formatExact(withdrawable),
    });
  }
  return undefined;
}

/** The text, or undefined where the amount can be withdrawn. */
export function amountProblem(amount: string, room: Room): string | undefined {
  const { minimum } = room;
  const value = parseDecimal(amount);
  if (!value || value.units <= 0n) return t('Amount is required');
  if (minimum && compare(value, minimum) < 0) {
    return t('Amount must be greater than minimum withdrawable ({{min}})', { min: formatExact(minimum) });
  }
  return excessProblem(amount, room);
}

/** What arrives: the amount less the fee, and never below nothing. */
export function receivable(amount: string, fee: string): Decimal {
  const left = subtract(decimal(amount), decimal(fee));
  return left.units > 0n ? left : ZERO;
}

interface Limit {
  readonly limit_usdt: string;
  readonly used_usdt: string;
}

/** What of a limit of 24 hours is left, and the share of it that is used up, for drawing. */
export function leftOf({ limit_usdt, used_usdt }: Limit): { readonly left: Decimal; readonly used: number } {
  const limit = decimal(limit_usdt);
  const left = subtract(limit, decimal(used_usdt));
  return { left: left.units > 0n ? left : ZERO, used: Math.min(1, ratio(decimal(used_usdt), limit)) };
}
