/** What a run of batches changes of positions, and by which trade. */
import { Cause, type PositionRecords } from '@cambist/core/events/position-records.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { Direction } from '@cambist/core/margin/perpetual.ts';
import { PLACES } from '../ledger/position-moves.ts';
import { ChangeRows } from './change-rows.ts';
import { PositionRows } from './position-rows.ts';

const { mode: MODE } = Cause;
const isHouse = (owner: number) => owner === HOUSE_MAKER || owner === HOUSE_TAKER;

export class PositionChanges {
  readonly after = new PositionRows();
  /** Of clients: the market maker's are not history that a person reads. */
  readonly rows = new ChangeRows();
  #firstId = 0;
  /** The last trade before the batch. */
  #lastTrade = 0;
  #liquidated: Direction | undefined;

  begin(batch: number, lastTrade: number): void {
    this.#firstId = batch * PLACES;
    this.#lastTrade = lastTrade;
    this.#liquidated = undefined;
  }

  /** Of the change or the object with this place among those of the batch. */
  idOf(sequence: number): number {
    return this.#firstId + sequence;
  }

  /** @param direction of the position */
  liquidated(direction: Direction): void {
    this.#liquidated = direction;
  }

  /** The direction of what is closed against the position that was liquidated last. */
  get oppositeDirection(): number {
    return -(this.#liquidated ?? 0);
  }

  /** Of the mode there is no history, and it moves nothing. */
  changed(records: PositionRecords, at: number, sequence: number): void {
    this.after.put(records, at);
    if (isHouse(records.owner(at)) || records.cause(at) === MODE) return;
    this.rows.add(this.idOf(sequence), records, at, this.#lastTrade + records.tradesBefore(at));
  }

  /** After the rows were written: their memory is used again. */
  clear(): void {
    this.after.clear();
    this.rows.clear();
  }
}
