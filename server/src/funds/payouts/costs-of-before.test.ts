/** What transactions have cost before coins without deposits were booked: nothing of it is lost, and nothing is booked twice. */
import { describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { migrate } from '../../platform/migrations.ts';
import { createPayoutStore } from './store.ts';

describe.each(databaseKinds)('costs of before (%s)', (kind) => {
  it('are booked with the next one where no coin of the chain was, and stay as they are where one was', async () => {
    const source = await makeTestDatabase(kind);
    const database = await source.open();
    await migrate(database, '0038_settled_payouts.sql');
    const paid = [
      ['TRC20', 'FINAL', '7000000'],
      ['TRC20', 'FAILED', '900001'],
      ['TRC20', 'MINED', '5'],
      ['BEP20', 'FINAL', '126000000000001'],
      ['ERC20', 'FINAL', '420000000000003'],
    ] as const;
    for (const [index, [network, state, cost]] of paid.entries())
      await database.query(
        `INSERT INTO payouts (reference, purpose, network, coin, address, units, confirmations_required, state, cost, nonce,
           sender, change, created_at, updated_at)
         VALUES ($1, 'withdrawal', $2, 'USDT', 'a', 1, 1, $3, $4::text::numeric, $1, 'h', $1, 0, 0)`,
        [index + 1, network, state, cost],
      );
    await database.query(`UPDATE payout_networks SET cost_rest = 3 WHERE network = 'ERC20'`);
    await migrate(database);
    const kept = await createPayoutStore(database).networks();
    const rests = (['TRC20', 'BEP20', 'ERC20', 'BTC'] as const).map((network) => kept.get(network)?.costRest);
    expect(rests).toEqual([7_900_001n, 126_000_000_000_001n, 3n, 0n]);
    await database.close();
    await source.remove();
  });
});
