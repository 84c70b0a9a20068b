/** Nothing is lost and nothing is credited twice, whatever the chain does and wherever the process ends. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { ASSETS, address, createDepositStage, type DepositStage } from '../../../test/deposit-stage.ts';
import { type Fate, Killed } from '../../../test/mortal-database.ts';
import { seedsTo } from '../../../test/suite.ts';
import type { Database } from '../../platform/database.ts';

const OWNERS = [1001, 1002, 1003];
/** Ten thousand million smallest units of Ether are one of the ledger's. */
const ETHER_STEP = 10n ** 10n;
const STRANGER = 4000;
const UNLISTED = '0x00000000000000000000000000000000000bad70';

describe.each(databaseKinds)('deposits and a chain that changes its mind (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: DepositStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const rows = async () =>
    database.query<{ state: string; amount: bigint; height: number | null }>(
      'SELECT state, amount::numeric, height FROM deposits ORDER BY id',
    );
  const count = async (sql: string) => (await database.query<{ n: number }>(sql))[0]?.n;

  function payment(random: Random): void {
    const owner = random.pick([...OWNERS, STRANGER]);
    const kind = random.between(0, 9);
    if (kind === 0) stage.send('USDT', owner, '0.4');
    else if (kind === 1) stage.chain.send({ contract: UNLISTED, address: address(owner), units: 10n ** 9n });
    else if (kind < 5) stage.send('USDT', owner, `${random.between(1, 50)}.${random.between(100_000, 999_999)}`);
    else {
      const outputs = Array.from({ length: random.between(1, 3) }, () => ({
        contract: null,
        address: address(owner),
        units: BigInt(random.between(1, 900)) * 10n ** 16n + BigInt(random.word()),
      }));
      stage.chain.send(...outputs);
    }
  }

  function act(random: Random): void {
    const what = random.between(0, 99);
    if (what < 40) payment(random);
    else if (what < 75) stage.chain.mine(random.between(1, 4));
    else if (what < 90) stage.chain.reorganize(random.between(1, 9), random.pick(['KEEP', 'DROP', 'WAIT']));
    else {
      const [owner, asset] = [random.pick(OWNERS), random.between(0, 1)];
      stage.spend(owner, asset, (stage.spot(owner, asset) * BigInt(random.between(1, 100))) / 100n);
    }
  }

  /** Reads on from any block that is known, as an operator may ask for. */
  const rewind = (random: Random) =>
    database.query(
      `UPDATE chain_cursors SET height = block.height, hash = block.hash
       FROM (SELECT height, hash FROM chain_blocks WHERE height <= (SELECT height FROM chain_cursors)
             ORDER BY height DESC OFFSET $1 LIMIT 1) AS block`,
      [random.between(0, 12)],
    );

  /** The ledger, the debts and the dust together are what the chain has paid. */
  async function check(): Promise<void> {
    const paid = stage.paid();
    const dust = await database.query<{ address: string; coin: string; units: bigint }>(
      'SELECT address, coin, units FROM deposit_dust',
    );
    let [inLedger, all] = [0n, 0n];
    for (const owner of OWNERS) {
      for (const { id, code } of ASSETS) {
        const worth = await stage.worth(owner, id);
        const chain = paid.get(`${address(owner)} ${code}`) ?? 0n;
        const rest = dust.find((one) => one.address === address(owner) && one.coin === code)?.units ?? 0n;
        const held = code === 'ETH' ? worth * ETHER_STEP : worth / 100n;
        expect({ owner, code, held: held + rest }).toEqual({ owner, code, held: chain });
        if (rest < 0n) expect(-rest).toBeLessThan(ETHER_STEP * 40n);
        else expect(rest).toBeLessThan(ETHER_STEP * 40n);
        inLedger += worth;
      }
    }
    for (const { id } of ASSETS) all += stage.custody(id);
    const [{ owed } = { owed: 0n }] = await database.query<{ owed: bigint }>(
      'SELECT coalesce(sum(amount), 0)::numeric AS owed FROM deposit_debts',
    );
    expect(inLedger + owed).toBe(-all);
    expect(await count('SELECT count(*)::int4 AS n FROM deposit_movements WHERE NOT is_done')).toBe(0);
    const wrong = (await rows()).filter(({ state, height }) => (height === null) !== (state === 'REVERSED'));
    expect(wrong).toEqual([]);
  }

  it.each(seedsTo(12))(
    'ends with the ledger at what the chain has, through reorganizations, kills and lost answers, seed %i',
    async (seed) => {
      const random = new Random(seed);
      stage = await createDepositStage(database, OWNERS);
      await stage.sync();
      let kills = 0;
      const fate: Fate = (where) => {
        const isLedger = where.endsWith('the ledger');
        if (random.between(1, isLedger ? 12 : 60) === 1) throw new Killed(where);
      };
      for (let turn = 0; turn < 120; turn += 1) {
        act(random);
        if (random.between(0, 2) > 0) continue;
        if (random.between(0, 9) === 0) await rewind(random);
        if (await stage.syncUnder(fate)) {
          kills += 1;
          stage.restart();
        }
      }
      expect(kills).toBeGreaterThan(0);
      stage.chain.mine(80);
      await stage.sync();
      await stage.sync();
      await check();
    },
    60_000,
  );
});
