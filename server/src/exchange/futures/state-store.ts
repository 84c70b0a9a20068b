/** The states of perpetuals as they are, into their table, and they and positions back. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { PerpetualState } from '@cambist/core/margin/pricing.ts';
import type { Database, Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import { restorePositions } from './position-recovery.ts';

const STATE = [
  ...['index_price', 'index_at', 'basis_times', 'basis_ticks', 'premium_sum', 'premium_count', 'sampled_at'],
  ...['next_funding_at', 'funding_index'],
];
/** An array inside an array column travels as its own text. */
const UPSERT_STATES = `
  INSERT INTO perpetual_states (market, ${STATE.join(', ')})
  SELECT market, index_price, index_at, basis_times::bigint[], basis_ticks::bigint[], premium_sum::numeric,
         premium_count, sampled_at, next_funding_at, funding_index::numeric
  FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[],
              $8::bigint[], $9::bigint[], $10::text[]) AS n (market, ${STATE.join(', ')})
  ON CONFLICT (market) DO UPDATE SET ${STATE.map((name) => `${name} = excluded.${name}`).join(', ')}`;

export function upsertStates(states: ReadonlyMap<number, PerpetualState>): Statement {
  const columns = new Columns(STATE.length + 1);
  for (const [market, state] of states) {
    const times = `{${state.basis.map(({ time }) => time).join(',')}}`;
    const ticks = `{${state.basis.map((sample) => sample.ticks).join(',')}}`;
    const premium = [String(state.premiumSum), state.premiumCount, state.sampledAt] as const;
    const funding = [state.nextFundingAt, String(state.fundingIndex)] as const;
    columns.add(market, state.index, state.indexAt, times, ticks, ...premium, ...funding);
  }
  return { sql: UPSERT_STATES, parameters: columns.parameters() };
}

type StateRow = {
  readonly market: number;
  readonly index_price: number;
  readonly index_at: number;
  readonly basis_times: string;
  readonly basis_ticks: string;
  readonly premium_sum: bigint;
  readonly premium_count: number;
  readonly sampled_at: number;
  readonly next_funding_at: number;
  readonly funding_index: bigint;
};

const numbers = (text: string) => (text === '' ? [] : text.split(',').map(Number));

/** Call it last: positions need markets, balances and open orders. */
export async function restoreFutures(database: Database, exchange: Exchange): Promise<void> {
  const states = await database.query<StateRow>(
    `SELECT market, index_price, index_at, array_to_string(basis_times, ',') AS basis_times,
            array_to_string(basis_ticks, ',') AS basis_ticks, premium_sum, premium_count, sampled_at, next_funding_at,
            funding_index FROM perpetual_states`,
  );
  for (const row of states) {
    const ticks = numbers(row.basis_ticks);
    exchange.restorePerpetual(row.market, {
      ...{ index: row.index_price, indexAt: row.index_at, sampledAt: row.sampled_at },
      basis: numbers(row.basis_times).map((time, place) => ({ time, ticks: ticks[place]! })),
      ...{ premiumSum: row.premium_sum, premiumCount: row.premium_count },
      ...{ nextFundingAt: row.next_funding_at, fundingIndex: row.funding_index },
    });
  }
  await restorePositions(database, exchange);
}
