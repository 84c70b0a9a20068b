/** What has become of a client's positions: pages of it, and all of it one page after another for a file. */
import type {
  ClosedPosition,
  FundingPayment,
  Liquidation,
  PositionChangeRow,
} from '@cambist/contract/futures-histories.ts';
import { csvTime } from '../../platform/csv.ts';
import type { FileColumn, Pages } from '../../platform/files.ts';
import type { Engine } from '../engine/engine.ts';
import type { OrderError } from '../orders/errors.ts';
import type { MarketLookup } from '../orders/service.ts';
import { type ClosedRow, describeClosed } from './closed-positions.ts';
import { describeChange, describeFunding, describeLiquidation } from './describe.ts';
import type { FuturesStore, HistoryFilter } from './store.ts';

export interface HistoryQuery {
  readonly symbol?: string | undefined;
  /** Ms since 1970, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly before?: string | undefined;
}

interface Deps {
  readonly engine: Pick<Engine, 'projector'>;
  readonly markets: Pick<MarketLookup, 'wanted' | 'byId'>;
  readonly store: Pick<FuturesStore, 'changes' | 'liquidations' | 'funding'>;
  readonly readClosed: (filter: HistoryFilter) => Promise<readonly ClosedRow[]>;
}

export type Found<Row> = Promise<Pages<Row> | OrderError>;

async function* walk<Row extends { readonly id: number }, Described>(
  read: (filter: HistoryFilter) => Promise<readonly Row[]>,
  filter: HistoryFilter,
  describe: (rows: readonly Row[]) => Described[],
): Pages<Described> {
  for (let before = filter.before; ; ) {
    const rows = await read({ ...filter, before });
    yield describe(rows);
    const last = rows.at(-1);
    // Of one settlement there may be several rows, all of them in one page.
    if (last === undefined || new Set(rows.map(({ id }) => id)).size < filter.limit) return;
    before = last.id;
  }
}

/** So many rows, and the other leg's of the last settlement: a page begins after a settlement. */
export async function wholeSettlements(pages: Pages<FundingPayment>, limit: number): Promise<FundingPayment[]> {
  const rows: FundingPayment[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length > limit) break;
  }
  return rows.filter(({ id }, place) => place < limit || id === rows[limit - 1]!.id);
}

export class FuturesHistories {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async changes(owner: number, query: HistoryQuery, limit: number): Found<PositionChangeRow> {
    const { store, markets } = this.#deps;
    const filter = await this.#filterOf(owner, query, limit);
    if ('kind' in filter) return filter;
    return walk(store.changes, filter, (rows) => rows.map((row) => describeChange(markets.byId(row.market), row)));
  }

  async closed(owner: number, query: HistoryQuery, limit: number): Found<ClosedPosition> {
    const { readClosed, markets } = this.#deps;
    const filter = await this.#filterOf(owner, query, limit);
    if ('kind' in filter) return filter;
    return walk(readClosed, filter, (rows) => rows.map((row) => describeClosed(markets.byId(row.market), row)));
  }

  async liquidations(owner: number, query: HistoryQuery, limit: number): Found<Liquidation> {
    const { store, markets } = this.#deps;
    const filter = await this.#filterOf(owner, query, limit);
    if ('kind' in filter) return filter;
    return walk(store.liquidations, filter, (rows) =>
      rows.map((row) => describeLiquidation(markets.byId(row.market), row)),
    );
  }

  async funding(owner: number, query: HistoryQuery, limit: number): Found<FundingPayment> {
    const { store, markets } = this.#deps;
    const filter = await this.#filterOf(owner, query, limit);
    if ('kind' in filter) return filter;
    // Of settlements without a position nothing is shown.
    return walk(store.funding, filter, (rows) =>
      rows.filter(({ lots }) => lots > 0).map((row) => describeFunding(markets.byId(row.market), row)),
    );
  }

  async #filterOf(owner: number, query: HistoryQuery, limit: number): Promise<HistoryFilter | OrderError> {
    const { symbol, from, to, before } = query;
    const markets = this.#deps.markets.wanted({ symbol, market: 'futures' });
    if (markets === undefined) return { kind: 'unknown-pair', name: symbol ?? '' };
    await this.#deps.engine.projector.caughtUp();
    return { owner, markets, from, to, before: before === undefined ? Number.MAX_SAFE_INTEGER : Number(before), limit };
  }
}

/** Names and words are those of the calls, for programs; they are not translated. */
export const changeColumns: readonly FileColumn<PositionChangeRow>[] = [
  { name: 'time', value: (row) => csvTime(row.created_at) },
  { name: 'id', value: (row) => row.id },
  { name: 'pair', value: (row) => row.coin_pair.pair_name },
  { name: 'cause', value: (row) => row.cause },
  { name: 'trade_id', value: (row) => row.trade_id ?? '' },
  { name: 'side', value: (row) => row.side ?? '' },
  { name: 'position_side', value: (row) => row.position_side ?? '' },
  { name: 'quantity', value: (row) => row.quantity },
  { name: 'quantity_change', value: (row) => row.quantity_change },
  { name: 'opening_price', value: (row) => row.opening_price ?? '' },
  { name: 'margin', value: (row) => row.margin },
  { name: 'leverage', value: (row) => row.leverage },
  { name: 'margin_mode', value: (row) => row.margin_mode },
  { name: 'realised', value: (row) => row.realised },
  { name: 'fee', value: (row) => row.fee },
  { name: 'funding', value: (row) => row.funding },
];

export const fundingColumns: readonly FileColumn<FundingPayment>[] = [
  { name: 'time', value: (row) => csvTime(row.created_at) },
  { name: 'id', value: (row) => row.id },
  { name: 'pair', value: (row) => row.coin_pair.pair_name },
  { name: 'side', value: (row) => row.side },
  { name: 'position_side', value: (row) => row.position_side ?? '' },
  { name: 'quantity', value: (row) => row.quantity },
  { name: 'rate', value: (row) => row.rate },
  { name: 'mark_price', value: (row) => row.mark_price },
  { name: 'amount', value: (row) => row.amount },
];

export const liquidationColumns: readonly FileColumn<Liquidation>[] = [
  { name: 'time', value: (row) => csvTime(row.created_at) },
  { name: 'id', value: (row) => row.id },
  { name: 'kind', value: (row) => row.kind },
  { name: 'pair', value: (row) => row.coin_pair.pair_name },
  { name: 'side', value: (row) => row.side },
  { name: 'position_side', value: (row) => row.position_side ?? '' },
  { name: 'quantity', value: (row) => row.quantity },
  { name: 'price', value: (row) => row.price },
  { name: 'value', value: (row) => row.value },
  { name: 'equity', value: (row) => row.equity ?? '' },
  { name: 'maintenance_margin', value: (row) => row.maintenance_margin ?? '' },
];
