/** Statements of a futures wallet as a bookkeeping program reads them: each entry once, and what it belongs to. */
import type { PositionChangeRow } from '@cambist/contract/futures-histories.ts';
import type { StatementEntry } from '@cambist/contract/statements.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { FuturesStage } from '../../../test/futures-stage.ts';

/** Signed, in smallest units of USDT. */
function units(text: string): bigint {
  const parsed = parseAmount(text.replace('-', ''), 8);
  if (!parsed.ok) throw new Error(`${text} is no amount`);
  return text.startsWith('-') ? -parsed.value : parsed.value;
}

describe.each(databaseKinds)('entries of a futures wallet (%s)', (kind) => {
  let stage: FuturesStage;
  afterEach(() => stage.server.remove());

  async function entriesOf(name: string, wallet: string, limit: number): Promise<StatementEntry[]> {
    const found: StatementEntry[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const url = `/api/v3/statement?wallet=${wallet}&coin=USDT&limit=${limit}${next && `&before=${next}`}`;
      const { body } = await stage.ask(name, 'GET', url);
      found.push(...(body.entries as unknown as StatementEntry[]));
      next = body.next as unknown as string | null;
    }
    return found;
  }

  it('have an id each, the same on every page, and name the change of the position that they are of', async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.index(90_000);
    // Alike in all that an entry says: opened in one step by four fills of the same size and price.
    for (let at = 0; at < 4; at += 1) await stage.order('bob', 'SELL', '0.001', '90000');
    await stage.order('alice', 'BUY', '0.004', '90000');
    const entries = await entriesOf('alice', 'FUTURE', 100);
    expect(entries).toHaveLength(5);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
    expect(await entriesOf('alice', 'FUTURE', 1)).toEqual(entries);
    const { body } = await stage.ask('alice', 'GET', '/api/v3/futures/history/positions');
    const changes = body.changes as unknown as PositionChangeRow[];
    const ofTrades = entries.filter(({ cause }) => cause === 'position-trade');
    expect(ofTrades.map(({ reference }) => reference)).toEqual(changes.map(({ id }) => id));
    expect(ofTrades.map(({ fee }) => fee)).toEqual(changes.map(({ fee }) => fee));
  });

  it('are, with the change that they name, what was won less fee and funding; a transfer has one number in both wallets', async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
    stage.server.advance(8 * 3_600_000);
    await stage.index(90_000);
    expect(await entriesOf('alice', 'FUTURE', 100)).toHaveLength(2);
    // What is owed since the settlement leaves the wallet with the change that follows.
    await stage.trade('bob', 'alice', '0.04', '90010');
    const entries = await entriesOf('alice', 'FUTURE', 100);
    expect(entries.map(({ cause }) => cause)).toEqual([
      ...['position-trade', 'position-funding', 'position-trade', 'wallet-transfer'],
    ]);
    const { body } = await stage.ask('alice', 'GET', '/api/v3/futures/history/positions');
    const changes = body.changes as unknown as PositionChangeRow[];
    expect(entries.slice(0, 3).map(({ reference }) => reference)).toEqual(changes.map(({ id }) => id));
    expect(changes[1]?.funding).toBe('0.90000000');
    for (const [at, { realised, fee, funding }] of changes.entries()) {
      expect(entries[at]?.fee).toBe(fee);
      expect(units(entries[at]!.amount)).toBe(units(realised) - units(fee) - units(funding));
    }
    const references = (rows: StatementEntry[]) =>
      rows.filter(({ cause }) => cause === 'wallet-transfer').map(({ reference }) => reference);
    expect(references(entries)).toHaveLength(1);
    expect(references(await entriesOf('alice', 'SPOT', 100))).toEqual(references(entries));
  });
});
