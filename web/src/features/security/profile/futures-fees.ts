/** Perpetuals whose trades cost the same, so that equal fees are one row. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { perpetuals } from '@cambist/contract/perpetuals.ts';

type Perpetual = Pick<
  AnswerOf<typeof perpetuals>['perpetuals'][number],
  'pair_name' | 'maker_fee_percent' | 'taker_fee_percent'
>;

export interface FeeGroup {
  readonly maker: string;
  readonly taker: string;
  /** In the order of the answer. */
  readonly pairs: readonly string[];
}

/** The group of most markets first. */
export function feeGroups(markets: readonly Perpetual[]): FeeGroup[] {
  const groups = Map.groupBy(markets, ({ maker_fee_percent: maker, taker_fee_percent: taker }) => `${maker} ${taker}`);
  return [...groups.values()]
    .map((group) => ({
      maker: group[0]?.maker_fee_percent ?? '0',
      taker: group[0]?.taker_fee_percent ?? '0',
      pairs: group.map(({ pair_name: name }) => name),
    }))
    .sort((one, other) => other.pairs.length - one.pairs.length);
}
