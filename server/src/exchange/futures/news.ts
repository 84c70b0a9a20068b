/** Pushes positions and the futures wallet to the open pages of clients, after each commit that changes them or settles funding. */
import { setImmediate } from 'node:timers/promises';
import type { StreamPositions } from '@cambist/contract/stream.ts';
import { accountParts, Wallet } from '@cambist/core/ledger/account.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BatchFeed, CommittedBatch } from '../engine/feed.ts';
import type { Streams } from '../streams/service.ts';
import type { FuturesService } from './service.ts';

interface Deps {
  readonly feed: BatchFeed;
  readonly service: Pick<FuturesService, 'positions' | 'holdersOf'>;
  readonly streams: Pick<Streams, 'push' | 'note'>;
  readonly logger: Logger;
}

/** A settlement of funding concerns all who have something open in its market: so many at a time, with room for orders between. */
const AT_ONCE = 100;

function changedBy({ events }: CommittedBatch): ReadonlySet<number> {
  const owners = new Set<number>();
  for (let index = 0; index < events.balanceCount; index += 1) {
    const { owner, wallet } = accountParts(events.balanceKeys[index]!);
    if (wallet === Wallet.FUTURE) owners.add(owner);
  }
  events.readRare({ position: (records, at) => owners.add(records.owner(at)) });
  return owners;
}

/** Who owes or is owed funding since this batch: their positions stay as they are until they are touched. */
function settledFor({ events }: CommittedBatch, service: Pick<FuturesService, 'holdersOf'>): ReadonlySet<number> {
  const owners = new Set<number>();
  for (const event of events.objects) {
    if (event.kind !== 'funding-settled') continue;
    for (const owner of service.holdersOf(event.market)) owners.add(owner);
  }
  return owners;
}

/** @returns how to stop */
export function pushPositions({ feed, service, streams, logger }: Deps): () => void {
  async function push(owner: number): Promise<void> {
    try {
      const news: StreamPositions = await service.positions(owner);
      streams.push(owner, 'positions', [news]);
    } catch (error) {
      // What is pushed after the next change says it all again.
      logger.warn({ err: error }, 'Positions could not be pushed');
    }
  }
  async function pushInTurn(owners: readonly number[]): Promise<void> {
    for (let at = 0; at < owners.length; at += AT_ONCE) {
      await Promise.all(owners.slice(at, at + AT_ONCE).map(push));
      await setImmediate();
    }
  }
  const heardOf = (owners: ReadonlySet<number>) => [...owners].filter((owner) => streams.note(owner, 'positions'));
  return feed.subscribe((batch) => {
    void pushInTurn(heardOf(settledFor(batch, service)));
    for (const owner of heardOf(changedBy(batch))) void push(owner);
  });
}
