/** What a run of batches changes of positions, and by which trade. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { PositionChanged } from '@cambist/core/margin/event.ts';
import type { Direction } from '@cambist/core/margin/perpetual.ts';
import { ChangeRows } from './change-rows.ts';

/** Room for the events of a batch in an id: ids of all batches are one order, and the same however often they are written. */
const PLACES = 2 ** 20;

/** An owner's leg in one market as a run leaves it. */
export interface PositionAfter {
  event: PositionChanged;
  /** When what is open now was opened, if that was in this run. */
  since: number;
  /** Whether the run knows of no other direction: then it may have been opened before. */
  isOlder: boolean;
}

/** A number is found sooner than a text; a market is below 2^15, and a leg is -1 to 1. */
const keyOf = ({ owner, market, leg }: PositionChanged) => (owner * 2 ** 15 + market) * 4 + leg + 1;
const isHouse = (owner: number) => owner === HOUSE_MAKER || owner === HOUSE_TAKER;

export class PositionChanges {
  readonly after = new Map<number, PositionAfter>();
  /** Of clients: the market maker's are not history that a person reads. */
  readonly rows = new ChangeRows();
  #firstId = 0;
  #place = 0;
  /** Changes by trades since the last trade, which names those that it made, and where their rows begin. */
  readonly #untold: PositionChanged[] = [];
  readonly #untoldRows: number[] = [];
  #liquidated: Direction | undefined;

  begin(batch: number): void {
    this.#firstId = batch * PLACES;
    this.#place = 0;
    this.#forgetUntold();
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
    const before = this.#keep(event);
    const { cause } = event;
    if (isHouse(event.owner) || cause === 'mode') return;
    const row = this.rows.add(this.nextId(), event, cause, before);
    if (cause !== 'trade' && cause !== 'liquidation') return;
    this.#untold.push(event);
    this.#untoldRows.push(row);
  }

  /** A trade comes right after the changes that it made. */
  traded(events: EventBatch, at: number): void {
    if (this.#untold.length === 0) return;
    const [maker, taker, market] = [events.owner(at), events.takerOwner(at), events.market(at)];
    for (let index = 0; index < this.#untold.length; index += 1) {
      const change = this.#untold[index]!;
      if (change.market === market && (change.owner === maker || change.owner === taker))
        this.rows.setTrade(this.#untoldRows[index]!, events.tradeId(at));
    }
    this.#forgetUntold();
  }

  /** After the rows were written: their memory is used again. */
  clear(): void {
    this.after.clear();
    this.rows.clear();
    this.#forgetUntold();
  }

  /** @returns what the run knew of the same leg before */
  #keep(event: PositionChanged): PositionChanged | undefined {
    const key = keyOf(event);
    const known = this.after.get(key);
    if (known === undefined) {
      this.after.set(key, { event, since: event.time, isOlder: true });
      return undefined;
    }
    const before = known.event;
    if (before.position?.direction !== event.position?.direction) {
      known.since = event.time;
      known.isOlder = false;
    }
    known.event = event;
    return before;
  }

  #forgetUntold(): void {
    this.#untold.length = 0;
    this.#untoldRows.length = 0;
  }
}
