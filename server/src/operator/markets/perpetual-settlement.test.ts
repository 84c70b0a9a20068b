/** A perpetual that an operator ends: what it would cost, what is refused, and what its owners have and are told afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';
import { createSettlingStore } from './settling-store.ts';

const PATH = `/api/v3/admin/futures/settle/${BTC_SWAP}`;

describe.each(databaseKinds)('an operator’s settlement of a perpetual (%s)', (kind) => {
  let stage: FuturesStage;
  const preview = (price: string) => stage.ask('op', 'POST', `${PATH}/preview`, { price });
  const settle = (terms: object) =>
    stage.ask('op', 'POST', PATH, { price: '80000', confirm: BTC_SWAP, reason: 'Its index ends', ...terms });

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.operator('op');
    await stage.index(90_000);
    // Alice bets little at x20: a fall by 10 % takes twice what she has put in.
    const isolated = { symbol: BTC_SWAP, margin_mode: 'isolated', leverage: 20 };
    expect((await stage.ask('alice', 'PATCH', '/api/v3/futures/leverage', isolated)).status).toBe(200);
    await stage.trade('alice', 'bob', '0.1', '90000');
    await stage.trade('carol', 'bob', '0.2', '90000');
    expect((await stage.order('carol', 'BUY', '0.1', '85000')).status).toBe(200);
  });
  afterAll(() => stage.server.remove());

  it('is for operators, and needs a step-up', async () => {
    expect((await stage.ask('alice', 'POST', `${PATH}/preview`, { price: '90000' })).body.code).toBe('NOT_AN_OPERATOR');
    expect((await settle({})).body.code).toBe('STEP_UP_REQUIRED');
    const proof = { purpose: 'markets', transaction_password: TRANSACTION_PASSWORD };
    expect((await stage.ask('op', 'POST', '/api/v3/step-up', proof)).status).toBe(200);
  });

  it('is counted before, and refused without its name, far from the mark, and beyond what was agreed to', async () => {
    expect((await preview('90000')).body).toMatchObject({
      ...{ mark_price: '90000.0', positions: 3, cancelled_orders: 1, insurance_pays: '0.00000000' },
    });
    // 0.1 × 9,000 is lost, of which the margin has 450.
    expect((await preview('81000')).body).toMatchObject({ insurance_pays: '450.00000000' });
    for (const price of ['80999.9', '99000.1', '0', '90000.05']) {
      const answer = (await preview(price)).body;
      expect(answer, price).toMatchObject({ status: 422, errors: [{ field: 'price' }] });
    }
    expect((await settle({ price: '81000', confirm: 'BTC' })).body.code).toBe('NOT_CONFIRMED');
    expect((await settle({ price: '81000' })).body.code).toBe('WOULD_PAY');
    expect((await settle({ price: '81000', accept_insurance: '449' })).body.code).toBe('WOULD_PAY');
    const { positions } = await stage.positions('alice');
    expect(positions).toHaveLength(1);
    expect((await stage.order('carol', 'BUY', '0.01', '85000')).status).toBe(200);
  });

  it('goes on after an interruption at the price that it was begun at, until the market has traded again', async () => {
    const halt = async (halted: boolean) => {
      const asked = { symbol: BTC_SWAP, halted, reason: 'Its index ends' };
      expect((await stage.ask('op', 'POST', '/api/v3/admin/halt', asked)).status).toBe(200);
    };
    await halt(true);
    const { source, stop, app } = stage.server;
    await app.engine.projector.caughtUp();
    await stop();
    const database = await source.open();
    await createSettlingStore(database).begin(stage.market, 700_000);
    await database.close();
    stage = await FuturesStage.start(kind, source);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name);
    await stage.operator('op');
    await stage.index(90_000);
    expect((await preview('90000')).body).toMatchObject({ status: 422, errors: [{ field: 'price' }] });
    expect(JSON.stringify((await preview('90000')).body)).toContain('This settlement was begun at 70000.0');
    expect((await preview('70000')).body).toMatchObject({ positions: 3 });
    const proof = { purpose: 'markets', transaction_password: TRANSACTION_PASSWORD };
    expect((await stage.ask('op', 'POST', '/api/v3/step-up', proof)).status).toBe(200);
    await halt(false);
    expect((await preview('70000')).status).toBe(422);
    expect((await preview('90000')).status).toBe(200);
  });

  it('ends orders and positions, delists the market, and tells each owner once with the result', async () => {
    const asked = { price: '81000', accept_insurance: '450' };
    const answers = await Promise.all([settle(asked), settle(asked)]);
    const settled = answers.find(({ status }) => status === 200);
    expect(settled?.body).toMatchObject({
      message: 'success',
      effect: { positions: 3, insurance_pays: '450.00000000' },
    });
    // It is being settled, or has been by then.
    expect(['SETTLING', 'MARKET_DELISTED']).toContain(answers.find((one) => one !== settled)?.body.code);
    for (const name of ['alice', 'bob', 'carol']) expect((await stage.positions(name)).positions, name).toEqual([]);
    const { app } = stage.server;
    expect(app.engine.exchange.marketState(stage.market)).toMatchObject({ halted: true, delisted: true });
    expect(app.engine.exchange.openOrderCount()).toBe(0);
    expect((await settle({ price: '81000', accept_insurance: '450' })).body.code).toBe('MARKET_DELISTED');
    await app.engine.projector.caughtUp();
    const history = await stage.ask('bob', 'GET', '/api/v3/futures/history/positions');
    const changes = history.body.changes as unknown as object[];
    expect(changes.slice(0, 2)).toMatchObject([{ cause: 'settlement', quantity: '0.00000' }, { cause: 'settlement' }]);
    const noticesOf = async (name: string) => {
      const { body } = await stage.ask(name, 'GET', '/api/v3/notifications');
      const all = body.notifications as unknown as { title: string; body: string }[];
      return all.filter(({ title }) => title === 'Position settled').map(({ body: text }) => text);
    };
    await expect.poll(() => noticesOf('carol'), { timeout: 15_000 }).toHaveLength(1);
    expect(await noticesOf('bob')).toEqual([
      `0.30000 BTC of your ${BTC_SWAP} position was settled, as this market has ended. Its result is 2700 USDT.`,
    ]);
  });

  it('is in the audit log, leaves nothing that differs, and lasts', async () => {
    const { body } = await stage.ask('op', 'GET', '/api/v3/admin/audit?act=settle-perpetual');
    expect(JSON.stringify(body)).toContain('Its index ends');
    stage = await stage.restart(kind);
    expect(stage.server.app.engine.exchange.marketState(stage.market).delisted).toBe(true);
  });
});
