/** What clients had at the end of each day, summed anew from the whole history: what the follower's rows must be. */
import type { Database } from '../src/platform/database.ts';
import type { NaiveMarket } from './naive-cost-basis.ts';

const DAY_MS = 86_400_000;

type Change = { readonly owner: number; readonly asset: number; readonly day: number; readonly amount: bigint };

/** Each posting of the ledger's view, and each side of each trade, by itself. */
async function changesOf(database: Database, markets: readonly NaiveMarket[]): Promise<Change[]> {
  const entries = await database.query<Change>(
    `SELECT owner, asset::int8, (entry.time / ${DAY_MS})::int8 AS day, amount::numeric FROM ledger_entries AS entry
     WHERE wallet <> 4 AND entry.reason NOT IN ('order-holds', 'trade')`,
  );
  const trades = await database.query<Record<string, bigint>>(
    `SELECT market::numeric, price::numeric, quantity::numeric, time::numeric, taker_side::numeric,
            taker_owner::numeric, maker_owner::numeric, taker_fee::numeric, maker_fee::numeric FROM trades`,
  );
  const power = (exponent: number) => 10n ** BigInt(exponent);
  const sides = trades.flatMap((trade) => {
    const { base, quote, tickScale, lotScale } = markets.find(({ id }) => id === Number(trade.market))!;
    const units = trade.quantity! * power(base.scale - lotScale);
    const value = trade.price! * trade.quantity! * power(quote.scale - tickScale - lotScale);
    const day = Number(trade.time! / BigInt(DAY_MS));
    const isTakerBuying = trade.taker_side === 0n;
    const [buyer, seller] = isTakerBuying ? ['taker', 'maker'] : ['maker', 'taker'];
    const [buying, selling] = [Number(trade[`${buyer}_owner`]), Number(trade[`${seller}_owner`])];
    return [
      { owner: buying, asset: base.id, day, amount: units - trade[`${buyer}_fee`]! },
      { owner: buying, asset: quote.id, day, amount: -value },
      { owner: selling, asset: base.id, day, amount: -units },
      { owner: selling, asset: quote.id, day, amount: value - trade[`${seller}_fee`]! },
    ];
  });
  return [...entries, ...sides].filter(({ owner }) => owner > 101);
}

/** `owner asset day balance` for every day that ended with another balance than the day before; ascending by day. */
function inWords(coin: string, days: readonly (readonly [day: number, balance: bigint])[]): string[] {
  const isChange = ([, balance]: readonly [number, bigint], index: number) => balance !== (days[index - 1]?.[1] ?? 0n);
  return days.filter(isChange).map(([day, balance]) => `${coin} ${day} ${balance}`);
}

export async function naiveBalances(database: Database, markets: readonly NaiveMarket[]): Promise<string[]> {
  const changes = await changesOf(database, markets);
  const byCoin = Map.groupBy(changes, ({ owner, asset }) => `${owner} ${asset}`);
  const rows: string[] = [];
  for (const [coin, own] of byCoin) {
    const days = [...new Set(own.map(({ day }) => day))].sort((left, right) => left - right);
    const upTo = (day: number) => own.filter((change) => change.day <= day);
    rows.push(
      ...inWords(
        coin,
        days.map((day) => [day, upTo(day).reduce((sum, { amount }) => sum + amount, 0n)]),
      ),
    );
  }
  return rows.sort();
}

/** The follower's rows in the same words. */
export async function storedBalances(database: Database): Promise<string[]> {
  const stored = await database.query<{ coin: string; day: number; balance: bigint }>(
    `SELECT concat_ws(' ', owner, asset) AS coin, day::int8, balance FROM daily_balances ORDER BY owner, asset, day`,
  );
  const byCoin = Map.groupBy(stored, ({ coin }) => coin);
  const rows = [...byCoin].flatMap(([coin, own]) =>
    inWords(
      coin,
      own.map(({ day, balance }) => [day, balance]),
    ),
  );
  return rows.sort();
}
