/**
 * Warns clients whose positions come near liquidation, at two levels and once each until they have recovered. It goes around the
 * owners of open positions, so many a second; what was said last is in a table, so that a restart says nothing again.
 */

import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { formatBriefly } from '@cambist/core/money/amount.ts';
import { divFloor } from '@cambist/core/money/rounding.ts';
import type { Engine } from '../engine/engine.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { MarginCall, Notices } from './notices.ts';
import { positionNumber } from './position-id.ts';
import type { BackedAccount, FuturesService } from './service.ts';
import type { CallRow, FuturesStore } from './store.ts';

/** Percent of what backs positions that they need. */
const LEVELS = [70, 90] as const;
const RECOVERED = 60;
const OWNERS_AT_ONCE = 500;

interface Deps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly service: Pick<FuturesService, 'accountsOf' | 'settlement'>;
  readonly markets: Pick<MarketLookup, 'byId'>;
  readonly notices: Notices;
  readonly store: Pick<FuturesStore, 'calls' | 'writeCalls'>;
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly clock: { now(): number };
}

/** 0 for the wallet's cross positions, else the isolated position's id + 1. */
const numberOf = ({ place }: BackedAccount): number => (place === undefined ? 0 : positionNumber(place) + 1);

const percentOf = ({ equity, required }: BackedAccount): number =>
  equity <= 0n ? 100 : Math.min(100, Number(divFloor(required * 100n, equity)));

export class MarginCalls {
  readonly #deps: Deps;
  readonly #owners = new Set<number>();
  /** Who is left of this round. */
  #waiting: number[] = [];
  /** Levels above 0, by owner and then by account. */
  readonly #levels = new Map<number, Map<number, number>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const row of await this.#deps.store.calls()) this.#remember(row);
    for (const owner of this.#deps.engine.exchange.positionOwners()) this.#follow(owner);
  }

  note({ events }: CommittedBatch): void {
    events.readRare({ position: (records, at) => this.#follow(records.owner(at)) });
  }

  async run(): Promise<void> {
    if (this.#waiting.length === 0) this.#waiting = [...this.#owners];
    const rows: CallRow[] = [];
    const calls: MarginCall[] = [];
    for (const owner of this.#waiting.splice(0, OWNERS_AT_ONCE)) this.#look(owner, rows, calls);
    if (rows.length === 0) return;
    const { engine, store, notices, announce } = this.#deps;
    // Nothing is told of what may not be committed.
    await engine.sequencer.settled();
    await store.writeCalls(rows, notices.ofCalls(calls));
    for (const row of rows) this.#remember(row);
    await announce(calls.map(({ owner }) => owner));
  }

  #follow(owner: number): void {
    if (owner !== HOUSE_MAKER && owner !== HOUSE_TAKER) this.#owners.add(owner);
  }

  #look(owner: number, rows: CallRow[], calls: MarginCall[]): void {
    const accounts = this.#deps.service.accountsOf(owner).map((backed) => ({ ...backed, account: numberOf(backed) }));
    const said = this.#levels.get(owner) ?? new Map<number, number>();
    const time = this.#deps.clock.now();
    for (const account of accounts) {
      const before = said.get(account.account) ?? 0;
      const percent = percentOf(account);
      const reached = LEVELS.findLastIndex((one) => percent >= one) + 1;
      const level = percent < RECOVERED ? 0 : Math.max(before, reached);
      if (level !== before) rows.push({ owner, account: account.account, level, time });
      if (level > before) calls.push(this.#callOf(owner, account, percent, time));
    }
    // One that was closed is warned of again once it is opened anew.
    const closed = [...said.keys()].filter((one) => !accounts.some(({ account }) => account === one));
    rows.push(...closed.map((account) => ({ owner, account, level: 0, time })));
    if (accounts.length === 0) this.#owners.delete(owner);
  }

  #remember({ owner, account, level }: CallRow): void {
    const said = this.#levels.get(owner) ?? new Map<number, number>();
    if (level === 0) said.delete(account);
    else this.#levels.set(owner, said.set(account, level));
    if (said.size === 0) this.#levels.delete(owner);
  }

  #callOf(owner: number, { place, equity, required }: BackedAccount, percent: number, time: number): MarginCall {
    const { markets, service } = this.#deps;
    const money = (units: bigint) => formatBriefly(units, service.settlement.scale);
    const position = place && { pair: markets.byId(place.market).symbol, leg: place.leg };
    return { owner, position, percent, equity: money(equity), required: money(required), time };
  }
}
