/** What a client is told of what the coins have cost. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { costBasis } from '@cambist/contract/cost-basis.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { divFloor } from '@cambist/core/money/rounding.ts';
import type { RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { Position } from './position.ts';
import type { CostBasisStore } from './store.ts';

export type { Position } from './position.ts';

export interface CostBasisDeps {
  readonly store: Pick<CostBasisStore, 'positionsOf'>;
  readonly consumer: Pick<RunningPacedConsumer, 'caughtUp'>;
  /** Resolves once the tables hold every batch so far. */
  readonly projected: () => Promise<void>;
  readonly assetById: (id: number) => Asset | undefined;
  readonly money: Asset;
  readonly clock: { now(): number };
}

type CoinCost = AnswerOf<typeof costBasis>['coins'][number];

const DAY_MS = 86_400_000;
/** Decimals of an average: a coin may cost less than the smallest unit of money. */
const AVERAGE_SCALE = 12;

/** Money for one whole coin, cut downwards. */
function averageOf({ cost, quantity }: Position, asset: Asset, money: Asset): string {
  const scaled = cost * 10n ** BigInt(asset.scale + AVERAGE_SCALE - money.scale);
  return formatAmount(divFloor(scaled, quantity), AVERAGE_SCALE);
}

function describe(position: Position, asset: Asset, money: Asset, today: number): CoinCost {
  const { quantity, cost, isUnpriced, realized, unpricedSaleDay } = position;
  const isCostKnown = quantity > 0n && !isUnpriced;
  const ofDay = position.day === today ? position.realizedOfDay : 0n;
  return {
    name: asset.code,
    quantity: formatAmount(quantity, asset.scale),
    average_cost: isCostKnown ? averageOf(position, asset, money) : null,
    cost: isCostKnown ? formatAmount(cost, money.scale) : null,
    realized: unpricedSaleDay === -1 ? formatAmount(realized, money.scale) : null,
    realized_today: unpricedSaleDay === today ? null : formatAmount(ofDay, money.scale),
  };
}

export function createCostBasisService({ store, consumer, projected, assetById, money, clock }: CostBasisDeps) {
  async function positionsOf(owner: number) {
    await projected();
    const complete = await consumer.caughtUp();
    return { complete, positions: await store.positionsOf(owner) };
  }

  return {
    /** As far as they are known: all of them where it is complete. */
    positionsOf,
    async of(owner: number): Promise<AnswerOf<typeof costBasis>> {
      const { complete, positions } = await positionsOf(owner);
      const today = Math.floor(clock.now() / DAY_MS);
      const coins = positions.flatMap((position) => {
        const asset = assetById(position.asset);
        return asset === undefined ? [] : [describe(position, asset, money, today)];
      });
      return { complete, coins };
    },
  };
}

export type CostBasisService = ReturnType<typeof createCostBasisService>;
