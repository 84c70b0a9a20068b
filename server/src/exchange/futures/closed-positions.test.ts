/** The list of closed positions, beside the trades that made them. */
import type { ClosedPosition, PositionChangeRow } from '@cambist/contract/futures-histories.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const HISTORY = '/api/v3/futures/history';
const SCALE = 8;

const units = (text: string): bigint => {
  const parsed = parseAmount(text.replace(/^-/, ''), SCALE);
  if (!parsed.ok) throw new Error(`Not an amount: ${text}`);
  return text.startsWith('-') ? -parsed.value : parsed.value;
};

describe.each(databaseKinds)('closed positions (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.index(90_000);
  });
  afterAll(() => stage.server.remove());

  const list = async (query = '', name = 'alice') => {
    const { body } = await stage.ask(name, 'GET', `${HISTORY}/closed${query}`);
    return body.closed as unknown as ClosedPosition[];
  };
  const changes = async () => {
    const { body } = await stage.ask('alice', 'GET', `${HISTORY}/positions`);
    return (body.changes as unknown as PositionChangeRow[]).toReversed();
  };
  const sum = (rows: readonly PositionChangeRow[], figure: 'realised' | 'fee' | 'funding') =>
    rows.reduce((total, row) => total + units(row[figure]), 0n);

  it('have averages of what opened and closed them, and what they brought, paid and took', async () => {
    expect(await list()).toEqual([]);
    await stage.trade('alice', 'bob', '0.01', '90000');
    await stage.trade('alice', 'bob', '0.03', '90100');
    await stage.trade('bob', 'alice', '0.01', '90200');
    expect(await list()).toEqual([]);
    await stage.trade('bob', 'alice', '0.03', '90400');
    const [closed] = await list();
    const made = await changes();
    expect(closed).toMatchObject({
      coin_pair: { pair_name: BTC_SWAP },
      ...{ side: 'long', cause: 'trade', leverage: 10, margin_mode: 'cross', quantity: '0.04000' },
      // (1 × 90,000 + 3 × 90,100) / 4 and (1 × 90,200 + 3 × 90,400) / 4
      realised: '11.00000000',
      id: made.at(-1)?.id,
      opened_at: made[0]?.created_at,
      created_at: made.at(-1)?.created_at,
    });
    expect([Number(closed?.entry_price), Number(closed?.exit_price)]).toEqual([90_075, 90_350]);
    expect(units(closed?.fee ?? '')).toBe(sum(made, 'fee'));
    expect(units(closed?.net ?? '')).toBe(units('11') - sum(made, 'fee') - sum(made, 'funding'));
  });

  it('end where one is turned round, whose fee is divided by lots', async () => {
    const before = (await changes()).length;
    await stage.trade('alice', 'bob', '0.02', '90000');
    await stage.trade('bob', 'alice', '0.05', '89900');
    const [long] = await list('?limit=1');
    expect(long).toMatchObject({ side: 'long', quantity: '0.02000', realised: '-2.00000000' });
    await stage.trade('alice', 'bob', '0.03', '89500');
    const [short, same] = await list('?limit=2');
    expect(same).toEqual(long);
    expect(short).toMatchObject({
      side: 'short',
      quantity: '0.03000',
      realised: '12.00000000',
      opened_at: long?.created_at,
    });
    expect([Number(short?.entry_price), Number(short?.exit_price)]).toEqual([89_900, 89_500]);
    const made = (await changes()).slice(before);
    const turn = made.find(({ quantity_change: change }) => Number(change) === -0.05);
    expect(units(long?.fee ?? '')).toBe(units(made[0]?.fee ?? '') + (units(turn?.fee ?? '') * 2n) / 5n);
    // Nothing is lost between the two.
    for (const figure of ['realised', 'fee', 'funding'] as const)
      expect(units(long?.[figure] ?? '') + units(short?.[figure] ?? '')).toBe(sum(made, figure));
  });

  it('are read page by page, by market and time, and as a file', async () => {
    const all = await list();
    expect(all).toHaveLength(3);
    const paged = [];
    for (let before = ''; ; ) {
      const [one] = await list(`?limit=1${before}`);
      if (one === undefined) break;
      paged.push(one);
      before = `&before=${one.id}`;
    }
    expect(paged).toEqual(all);
    expect(await list(`?symbol=${BTC_SWAP}`)).toEqual(all);
    expect(await list('?symbol=ETH-USDT-SWAP')).toEqual([]);
    expect(await list(`?to=${(all[2]?.created_at ?? 0) - 1}`)).toEqual([]);
    const file = await stage.server.app.http.inject({
      method: 'GET',
      url: `${HISTORY}/closed.csv?symbol=${BTC_SWAP}`,
      headers: { authorization: `Bearer ${stage.token('alice')}` },
    });
    expect(file.body.split('\r\n').filter(Boolean)).toHaveLength(all.length + 1);
    // The other side of each trade has the same positions the other way round.
    expect((await list('', 'bob')).map(({ side, realised }) => [side, realised])).toEqual([
      ['long', '-12.00000000'],
      ['short', '2.00000000'],
      ['short', '-11.00000000'],
    ]);
  });
});
