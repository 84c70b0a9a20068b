/** What a run of batches changes of positions, and by which trade. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { PositionChanged } from '@cambist/core/margin/event.ts';
import type { Direction } from '@cambist/core/margin/perpetual.ts';
import type { PositionChangeRow } from './store.ts';

/** Room for the events of a batch in an id: ids of all batches are one order, and the same however often they are written. */
const PLACES = 2 ** 20;

/** An owner's leg in one market as a run leaves it. */
export interface PositionAfter {
  readonly event: PositionChanged;
  /** When what is open now was opened, if that was in this run. */
  readonly since: number;
  /** Whether the run knows of no other direction: then it may have been opened before. */
  readonly isOlder: boolean;
}

type ChangeRow = Omit<PositionChangeRow, 'lots_change'> & {
  /** Signed lots before, where the run knows them. */
  readonly before: number | undefined;
};

/** A number is found sooner than a text; a market is below 2^15, and a leg is -1 to 1. */
const keyOf = ({ owner, market, leg }: PositionChanged) => (owner * 2 ** 15 + market) * 4 + leg + 1;
const signedLots = ({ position }: PositionChanged) => (position === undefined ? 0 : position.direction * position.lots);
const isHouse = (owner: number) => owner === HOUSE_MAKER || owner === HOUSE_TAKER;

export class PositionChanges {
  readonly after = new Map<number, PositionAfter>();
  /** Of clients: the market maker's are not history that a person reads. */
  readonly rows: { -readonly [Name in keyof ChangeRow]: ChangeRow[Name] }[] = [];
  #firstId = 0;
  #place = 0;
  /** Changes since the last trade, which names those that it made. */
  #untold: (typeof this.rows)[number][] = [];
  #liquidated: Direction | undefined;

  begin(batch: number): void {
    this.#firstId = batch * PLACES;
    this.#place = 0;
    this.#untold = [];
    this.#liquidated = undefined;
  }

  nextId(): number {
    this.#place += 1;
    return this.#firstId + this.#place;
  }

  /** @param direction of the position */
  liquidated(direction: Direction): void {
    this.#liquidated = direction;
  }

  /** The direction of what is closed against the position that was liquidated last. */
  get oppositeDirection(): number {
    return -(this.#liquidated ?? 0);
  }

  changed(event: PositionChanged): void {
    const key = keyOf(event);
    const known = this.after.get(key);
    const lots = signedLots(event);
    const before = known && signedLots(known.event);
    const isSame = before !== undefined && Math.sign(before) === Math.sign(lots);
    this.after.set(key, {
      event,
      since: isSame ? known!.since : event.time,
      isOlder: known === undefined || (known.isOlder && isSame),
    });
    const { cause } = event;
    if (isHouse(event.owner) || cause === 'mode') return;
    const { owner, market, leg, time, position, margin, leverage, isIsolated, realised, fee, funding } = event;
    const row = {
      id: this.nextId(),
      owner,
      market,
      leg,
      time,
      cause,
      trade: 0,
      before,
      direction: position?.direction ?? 0,
      lots: position?.lots ?? 0,
      cost: position?.cost ?? 0n,
      margin,
      leverage,
      is_isolated: isIsolated,
      realised,
      fee,
      funding,
    };
    this.rows.push(row);
    this.#untold.push(row);
  }

  /** A trade comes right after the changes that it made. */
  traded(events: EventBatch, at: number): void {
    const [maker, taker, market] = [events.owner(at), events.takerOwner(at), events.market(at)];
    for (const row of this.#untold) {
      const isTraded = row.cause === 'trade' || row.cause === 'liquidation';
      if (isTraded && row.market === market && (row.owner === maker || row.owner === taker))
        row.trade = events.tradeId(at);
    }
    this.#untold = [];
  }
}
