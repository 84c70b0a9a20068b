/** Positions, liquidations, funding and the insurance's days, as the tables take them from the events. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { ChangeFigure, type PositionRecords } from '@cambist/core/events/position-records.ts';
import { accountKey, BUCKET_KEYS, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { PerpetualState } from '@cambist/core/margin/pricing.ts';
import type { Statement } from '../../platform/database.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { PositionChanges } from './changes.ts';
import { restoreFutures, upsertStates } from './state-store.ts';
import {
  insertLiquidations,
  insertSettlements,
  type LiquidationRow,
  type SettlementRow,
  upsertInsurance,
} from './store.ts';

const DAY_MS = 86_400_000;
/** Account keys of the insurance in all assets lie from here. */
const FIRST_INSURED = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, 0);
const LAST_INSURED = FIRST_INSURED + BUCKET_KEYS - 1;

/** A deleveraging asks for nothing. */
const NO_ACCOUNT = { value: 0n, equity: 0n, required: 0n };

/** Runs that were written: their memory is used again. */
const spare: FuturesRun[] = [];

class FuturesRun implements PartRun {
  readonly #changes = new PositionChanges();
  readonly #liquidations: LiquidationRow[] = [];
  readonly #settlements: SettlementRow[] = [];
  readonly #states = new Map<number, PerpetualState>();
  /** Whether the batch may have moved money of the insurance: an object may, or a change of a position. */
  #isInsuranceMoved = false;
  readonly #insured = new Map<string, { asset: number; day: number; balance: bigint }>();

  add({ batch, time, events, counters }: CommittedBatch): void {
    if (events.objects.length === 0 && events.positions.count === 0) return;
    this.#changes.begin(batch, counters.lastTradeId - events.trades);
    this.#isInsuranceMoved = events.objects.length > 0;
    events.readRare(this);
    if (this.#isInsuranceMoved) this.#addInsurance(events, time);
  }

  position(records: PositionRecords, at: number, sequence: number): void {
    this.#changes.changed(records, at, sequence);
    if (records.hasFigure(at, ChangeFigure.INSURANCE)) this.#isInsuranceMoved = true;
  }

  object(event: ObjectEvent, _: number, sequence: number): void {
    const id = this.#changes.idOf(sequence);
    switch (event.kind) {
      case 'position-liquidated': {
        const { owner, market, leg, time, direction, lots, mark: price, value, equity, required } = event;
        const facts = { owner, against: 0, market, leg, time, direction, lots, price, value, equity, required };
        this.#liquidations.push({ id, ...facts });
        this.#changes.liquidated(direction);
        break;
      }
      case 'position-deleveraged': {
        const { owner, against, market, leg, time, lots, price } = event;
        const direction = this.#changes.oppositeDirection;
        const facts = { owner, against, market, leg, time, direction, lots, price, ...NO_ACCOUNT };
        this.#liquidations.push({ id, ...facts });
        break;
      }
      case 'perpetual-priced':
        this.#states.set(event.market, event.state);
        break;
      case 'funding-settled': {
        const { market, time, ratePpb: rate, mark } = event;
        this.#settlements.push({ id, market, time, rate, mark });
      }
    }
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    const { rows, after } = this.#changes;
    if (rows.size > 0) statements.push(...rows.statements());
    if (after.size > 0) statements.push(...after.statements());
    if (this.#liquidations.length > 0) statements.push(insertLiquidations(this.#liquidations));
    if (this.#settlements.length > 0) statements.push(insertSettlements(this.#settlements));
    if (this.#states.size > 0) statements.push(upsertStates(this.#states));
    if (this.#insured.size > 0) statements.push(upsertInsurance([...this.#insured.values()]));
    return statements;
  }

  release(): void {
    this.#changes.clear();
    this.#liquidations.length = 0;
    this.#settlements.length = 0;
    this.#states.clear();
    this.#insured.clear();
    spare.push(this);
  }

  #addInsurance({ balanceCount, balanceKeys, balances }: EventBatch, time: number): void {
    const day = time - (time % DAY_MS);
    for (let index = 0; index < balanceCount; index += 1) {
      const key = balanceKeys[index]!;
      if (key < FIRST_INSURED || key > LAST_INSURED) continue;
      const asset = key - FIRST_INSURED;
      this.#insured.set(`${asset} ${day}`, { asset, day, balance: balances[index]! });
    }
  }
}

export const futuresProjection: ProjectionPart = {
  name: 'futures',
  tables: [
    ...['positions', 'position_changes', 'position_liquidations', 'funding_settlements', 'perpetual_states'],
    'insurance_days',
  ],
  start: () => spare.pop() ?? new FuturesRun(),
  restore: restoreFutures,
};
