/** Terms of a perpetual that an operator changes by calls: which are refused, whom they affect, and what they do to positions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { confirmAll, confirmingOperator } from '../../../test/confirming.ts';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const PATH = `/api/v3/admin/futures/terms/${BTC_SWAP}`;

interface Terms {
  readonly [field: string]: unknown;
  readonly tiers: readonly Readonly<Record<string, unknown>>[];
  readonly funding: Readonly<Record<string, unknown>>;
}

describe.each(databaseKinds)('an operator’s terms of a perpetual (%s)', (kind) => {
  let stage: FuturesStage;

  const published = async (): Promise<Terms> => {
    const { body } = await stage.ask('alice', 'GET', '/api/v3/futures/perpetuals');
    const all = body.perpetuals as unknown as (Terms & { pair_name: string })[];
    const found = all.find(({ pair_name: name }) => name === BTC_SWAP)!;
    const { maker_fee_percent, taker_fee_percent, tiers, funding, mark_clamp_percent } = found;
    return { maker_fee_percent, taker_fee_percent, tiers, funding, mark_clamp_percent };
  };
  const preview = async (terms: object) =>
    stage.ask('op', 'POST', `${PATH}/preview`, { ...(await published()), ...terms });
  /** A second operator confirms what loosens a protection. */
  const change = async (terms: object) => {
    const body = { ...(await published()), reason: 'A wilder market', ...terms };
    const answer = await stage.ask('op', 'PATCH', PATH, body);
    const { pending = null } = answer.body as { readonly pending?: object | null };
    if (pending !== null) await confirmAll(stage.server, await confirmingOperator(stage.server));
    return answer;
  };
  /** One tier in which x10 is allowed and so much is to be kept, and a mark that stays as near as the least of it allows. */
  const keeping = (maintenance_percent: string) => ({
    tiers: [{ maximum_value: '1000000', maximum_leverage: 10, maintenance_percent }],
    mark_clamp_percent: '0.01',
  });

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.operator('op');
    await stage.index(90_000);
    await stage.ask('alice', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, margin_mode: 'isolated' });
    await stage.trade('alice', 'bob', '0.1', '90000');
  });
  afterAll(() => stage.server.remove());

  it('are for operators, and a change needs a step-up', async () => {
    expect((await stage.ask('alice', 'POST', `${PATH}/preview`, await published())).body.code).toBe('NOT_AN_OPERATOR');
    expect((await change({})).body.code).toBe('STEP_UP_REQUIRED');
    const proof = { purpose: 'markets', transaction_password: TRANSACTION_PASSWORD };
    expect((await stage.ask('op', 'POST', '/api/v3/step-up', proof)).status).toBe(200);
  });

  it('are refused by the field that is wrong', async () => {
    const { tiers, funding } = await published();
    const withTier = (index: number, values: object) => ({
      tiers: tiers.map((tier, at) => (at === index ? { ...tier, ...values } : tier)),
    });
    const withFunding = (values: object) => ({ funding: { ...funding, ...values } });
    for (const [field, terms] of [
      ['maker_fee_percent', { maker_fee_percent: '0.06' }],
      ['taker_fee_percent', { taker_fee_percent: '0.00001' }],
      ['mark_clamp_percent', { mark_clamp_percent: '21' }],
      ['mark_clamp_percent', { mark_clamp_percent: '0.2751' }],
      ['tiers', { tiers: [] }],
      ['tiers.1.maximum_value', withTier(1, { maximum_value: tiers[0]!.maximum_value })],
      ['tiers.1.maximum_leverage', withTier(1, { maximum_leverage: 200 })],
      ['tiers.0.maintenance_percent', withTier(0, { maintenance_percent: '0' })],
      ['tiers.1.maintenance_percent', withTier(1, { maintenance_percent: '0.0001' })],
      // At x100 the initial margin is 1 %.
      ['tiers.0.maintenance_percent', withTier(0, { maintenance_percent: '0.95' })],
      ['funding.interval_hours', withFunding({ interval_hours: 3 })],
      ['funding.interest_percent', withFunding({ interest_percent: '-1' })],
      ['funding.damp_percent', withFunding({ damp_percent: '1' })],
      ['funding.cap_percent', withFunding({ cap_percent: '11' })],
      ['funding.impact_value', withFunding({ impact_value: '0' })],
    ] as const) {
      const wanted = { status: 422, errors: [{ field }] };
      expect((await preview(terms)).body, field).toMatchObject(wanted);
      expect((await change(terms)).body, field).toMatchObject(wanted);
    }
    expect(await published()).toMatchObject({ tiers, funding });
    const nowhere = await stage.ask('op', 'POST', `${PATH.replace('BTC', 'NONE')}/preview`, await published());
    expect(nowhere.status).toBe(404);
  });

  it('let the mark go no further than half of what the thinnest position has, and say how far that is', async () => {
    const { tiers } = await published();
    const refusalOf = async (terms: object) =>
      ((await preview(terms)).body as unknown as { errors?: { message: string }[] }).errors?.[0]?.message;
    const most = (percent: string) =>
      `Use at most ${percent}%: half of what the tiers leave a position beyond maintenance and fee`;
    // At x100 1 %, less 0.4 % and the taker's 0.05 %.
    expect(await refusalOf({ mark_clamp_percent: '0.3' })).toBe(most('0.275'));
    expect(await refusalOf({ mark_clamp_percent: '0.275' })).toBeUndefined();
    // Without the first tier the next one has the least, at x75.
    expect(await refusalOf({ mark_clamp_percent: '0.4', tiers: tiers.slice(1) })).toBe(most('0.3166'));
    // What makes positions thinner brings the mark nearer.
    const [first, ...others] = tiers;
    expect(await refusalOf({ tiers: [{ ...first, maintenance_percent: '0.6' }, ...others] })).toBe(most('0.175'));
  });

  it('can be changed of a market that was listed with more, where that becomes no worse', async () => {
    const { exchange, sequencer } = stage.server.app.engine;
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm, perpetual } = exchange
      .markets()
      .find(({ id }) => id === stage.market)!;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    const change = { kind: 'change-market' as const, market: stage.market, ...limits };
    await sequencer.submit({ ...change, perpetual: { ...perpetual!, markClampPpm: 10_000 } });
    const shown = async () => {
      const { markets } = (await stage.ask('op', 'GET', '/api/v3/admin/futures/risk')).body as unknown as {
        markets: { pair_name: string; mark_clamp_percent: string; widest_clamp_percent: string }[];
      };
      return markets.find(({ pair_name: name }) => name === BTC_SWAP);
    };
    expect(await shown()).toMatchObject({ mark_clamp_percent: '1.0000', widest_clamp_percent: '0.2750' });
    const { tiers } = await published();
    const [first, ...others] = tiers;
    const raised = { tiers: [{ ...first, maintenance_percent: '0.6' }, ...others] };
    const statuses = [
      { maker_fee_percent: '0.01' },
      { mark_clamp_percent: '0.5' },
      { mark_clamp_percent: '1.1' },
      raised,
    ];
    expect(await Promise.all(statuses.map(async (terms) => (await preview(terms)).status))).toEqual([
      200, 200, 422, 422,
    ]);
    await sequencer.submit({ ...change, perpetual: perpetual! });
  });

  it('say how many positions would have to keep more, and which accounts would be liquidated at once', async () => {
    expect((await preview({})).body).toEqual({
      ...{ positions: 2, raised_positions: 0, liquidated_accounts: 0, cancelled_orders: 0 },
    });
    expect((await preview(keeping('5'))).body).toMatchObject({ raised_positions: 2, liquidated_accounts: 0 });
    // Of 9,000 at the mark, 9.9 % and the fee are more than alice's 900 less what the mark has taken; bob has 10,000 behind his.
    await stage.trade('carol', 'bob', '0.001', '89700');
    await stage.index(89_600);
    expect((await preview(keeping('9.9'))).body).toMatchObject({ raised_positions: 3, liquidated_accounts: 1 });
  });

  it('liquidate nobody whom the operator has not agreed to', async () => {
    const before = await published();
    const refused = await change(keeping('9.9'));
    expect(refused).toMatchObject({ status: 409, body: { code: 'WOULD_LIQUIDATE' } });
    expect(refused.body.detail).toContain('liquidated at once: 1');
    expect(await published()).toEqual(before);
    expect((await stage.positions('alice')).positions).toHaveLength(1);
  });

  it('hold for new and open positions at once, and are in the audit log with what was before', async () => {
    const changed = await change({ ...keeping('5'), maker_fee_percent: '0.01', mark_clamp_percent: '2' });
    expect(changed.body).toMatchObject({ message: 'success', effect: { liquidated_accounts: 0 } });
    const [position] = (await stage.positions('alice')).positions as unknown as Record<string, string>[];
    const expected = (Number(position!.value) * 0.0505).toFixed(4);
    expect(Number(position!.maintenance_margin).toFixed(4)).toBe(expected);
    const { entries } = (await stage.ask('op', 'GET', '/api/v3/admin/audit')).body as unknown as {
      entries: { act: string; reason: string; detail: { before: Terms; after: Terms; market: string } }[];
    };
    expect(entries.find(({ act }) => act === 'change-perpetual')).toMatchObject({
      ...{ act: 'change-perpetual', reason: 'A wilder market' },
      detail: { market: BTC_SWAP, before: { mark_clamp_percent: '0.2500' }, after: { mark_clamp_percent: '2' } },
    });
  });

  it('change the taker’s fee only with the resting orders, which end, and the market goes on', async () => {
    expect((await stage.order('carol', 'BUY', '0.01', '85000')).status).toBe(200);
    const fee = { taker_fee_percent: '0.06' };
    expect((await preview(fee)).body).toMatchObject({ cancelled_orders: 1 });
    expect(await change(fee)).toMatchObject({ status: 409, body: { code: 'WOULD_CANCEL' } });
    expect((await change({ ...fee, cancel_orders: true })).body).toMatchObject({ effect: { cancelled_orders: 1 } });
    expect(await published()).toMatchObject({ taker_fee_percent: '0.0600' });
    const { orders } = (await stage.ask('carol', 'GET', '/api/v3/trades/open-orders')).body;
    expect(orders ?? []).toEqual([]);
    expect((await stage.order('carol', 'BUY', '0.01', '85000')).body).toMatchObject({ message: 'success' });
  });

  it('change the taker’s fee only with the TWAPs, which end and release what they had reserved', async () => {
    const carol = await stage.owner('carol');
    const { exchange } = stage.server.app.engine;
    const wallet = () => exchange.marginWalletOf(carol, exchange.assets().find(({ code }) => code === 'USDT')!.id);
    const before = wallet();
    const twap = { duration_seconds: 3_000, interval_seconds: 1_000 };
    const placed = await stage.order('carol', 'BUY', '0.03', '85000', { twap });
    expect(placed.body).toMatchObject({ message: 'success' });
    expect(exchange.twapsIn(stage.market)).toBe(1);
    expect(wallet().held).toBeGreaterThan(before.held);
    const fee = { taker_fee_percent: '0.07' };
    expect((await preview(fee)).body).toMatchObject({ cancelled_orders: exchange.openOrderCount() + 1 });
    expect(await change(fee)).toMatchObject({ status: 409, body: { code: 'WOULD_CANCEL' } });
    expect(exchange.twapsIn(stage.market)).toBe(1);
    expect((await change({ ...fee, cancel_orders: true })).body).toMatchObject({ message: 'success' });
    expect(await published()).toMatchObject({ taker_fee_percent: '0.0700' });
    expect([exchange.twapsIn(stage.market), exchange.openOrderCount()]).toEqual([0, 0]);
    expect(wallet().held).toBe(0n);
    expect(exchange.marketState(stage.market).halted).toBe(false);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });

  it('leave a market halted that another operator halts while the fee is changed', async () => {
    const { sequencer, exchange } = stage.server.app.engine;
    const submit = sequencer.submit.bind(sequencer);
    const halt = (halted: boolean) =>
      stage.ask('op', 'POST', '/api/v3/admin/halt', { symbol: BTC_SWAP, halted, reason: 'Something is wrong' });
    sequencer.submit = async (...command) => {
      if (command[0].kind === 'change-market') await halt(true);
      return submit(...command);
    };
    const changed = await change({ taker_fee_percent: '0.08', cancel_orders: true });
    sequencer.submit = submit;
    expect(changed.body).toMatchObject({ message: 'success' });
    expect(await published()).toMatchObject({ taker_fee_percent: '0.0800' });
    expect(exchange.marketState(stage.market).halted).toBe(true);
    expect((await halt(false)).status).toBe(200);
  });

  it('do not say what the form offers: that is a switch of its own, on at first, and the calls sell empty either way (T-futures-44)', async () => {
    const offered = async () =>
      (await stage.ask('carol', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`)).body.sells_empty;
    expect(await offered()).toBe(true);
    const form = { sells_empty: false, reason: 'No short positions here' };
    expect((await stage.ask('carol', 'POST', '/api/v3/admin/futures/form', form)).body.code).toBe('NOT_AN_OPERATOR');
    expect((await stage.ask('op', 'POST', '/api/v3/admin/futures/form', form)).body).toMatchObject({
      sells_empty: false,
    });
    expect(await offered()).toBe(false);
    const sale = { name: BTC_SWAP, delegate_type: 'SELL_EMPTY', margin: '90', opening_price: '95000' };
    expect((await stage.ask('carol', 'POST', '/api/v2/buy-more', sale)).body).toMatchObject({ message: 'success' });
    const { entries } = (await stage.ask('op', 'GET', '/api/v3/admin/audit')).body as unknown as { entries: object[] };
    expect(entries).toContainEqual(
      expect.objectContaining({ act: 'set-futures-form', detail: { before: true, after: false } }),
    );
  });

  it('liquidate those that were agreed to, and are there after a restart from the tables', async () => {
    const changed = await change({ ...keeping('9.9'), accept_liquidations: 1 });
    expect(changed.body).toMatchObject({ message: 'success', effect: { liquidated_accounts: 1 } });
    await stage.order('bob', 'BUY', '0.2', '89600');
    await stage.index(89_600);
    expect((await stage.positions('alice')).positions).toEqual([]);
    const terms = await published();
    stage = await stage.restart(kind);
    const { body } = await stage.server.call({ method: 'GET', url: '/api/v3/futures/perpetuals' });
    expect((body.perpetuals as unknown as Terms[])[0]).toMatchObject({ ...terms });
    await stage.operator('op');
    expect((await stage.ask('op', 'GET', '/api/v3/admin/futures/risk')).body).toMatchObject({ sells_empty: false });
  });
});
