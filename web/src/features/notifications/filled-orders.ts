import type { Fill } from '@cambist/contract/trading.ts';
import { add, decimal, divide, toText } from '../../lib/decimal.ts';

export interface FilledOrder {
  /** Of its newest fill. */
  readonly id: string;
  readonly order: string;
  readonly pair: string;
  readonly side: 'BUY' | 'SELL';
  readonly isConversion: boolean;
  readonly amount: string;
  /** The average, with the decimals of the pair's prices. */
  readonly price: string;
  readonly fee: string;
  readonly feeCoin: string;
  readonly time: number;
}

/** An order's fills of one minute are one entry: later ones are news again. */
const TOGETHER_MS = 60_000;

const sum = (texts: readonly string[]) => texts.map(decimal).reduce(add);

function together([newest, ...others]: readonly [Fill, ...Fill[]]): FilledOrder {
  const fills = [newest, ...others];
  const amount = sum(fills.map(({ quantity }) => quantity));
  const total = sum(fills.map(({ total: paid }) => paid));
  const average = divide(total, amount, decimal(newest.price).scale, 'nearest');
  return {
    ...{ id: newest.id, order: newest.order_id, pair: newest.coin_pair.pair_name, side: newest.delegate_type },
    isConversion: newest.type === 'convert',
    amount: toText(amount),
    price: average ? toText(average) : newest.price,
    fee: toText(sum(fills.map(({ fee }) => fee))),
    ...{ feeCoin: newest.fee_coin, time: newest.created_at },
  };
}

/** @param fills newest first */
export function filledOrders(fills: readonly Fill[]): FilledOrder[] {
  const groups: [Fill, ...Fill[]][] = [];
  const current = new Map<string, [Fill, ...Fill[]]>();
  for (const fill of fills) {
    const group = current.get(fill.order_id);
    if (group !== undefined && group[0].created_at - fill.created_at < TOGETHER_MS) {
      group.push(fill);
      continue;
    }
    const begun: [Fill, ...Fill[]] = [fill];
    current.set(fill.order_id, begun);
    groups.push(begun);
  }
  return groups.map(together);
}
