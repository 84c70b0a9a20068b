import { FIRST_CLIENT } from '@cambist/core/ledger/account.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestExchange, type TestExchange } from './test-exchange.ts';

const OWNER = FIRST_CLIENT + 1;

let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange(Date, 'simulated');
});

afterAll(async () => {
  await exchange.stop();
  await exchange.source.remove();
});

const figures = () => exchange.get('/api/v3/exchange-figures');
const submit = (...input: Parameters<typeof exchange.engine.sequencer.submit>) =>
  exchange.engine.sequencer.submit(...input);

it('no acknowledgement time is stated before an order was acknowledged, and all that were are counted', async () => {
  expect((await figures()).acknowledgement).toBeNull();
  const [market] = exchange.catalogue.markets;
  const { spec, referencePrice } = market!;
  await exchange.fund(OWNER, spec.base.code, 10n ** 14n);
  await exchange.fund(OWNER + 1, spec.quote.code, 10n ** 16n);
  const before = Number((await figures()).volume_24h);
  await exchange.place(OWNER, spec.id, SELL, referencePrice, spec.maximumLots / 100);
  await exchange.place(OWNER + 1, spec.id, BUY, referencePrice, spec.maximumLots / 100);
  const { acknowledgement, volume_24h } = await figures();
  expect(acknowledgement.orders).toBe(2);
  expect(Number(acknowledgement.p50_ms)).toBeGreaterThan(0);
  expect(Number(acknowledgement.p99_ms)).toBeGreaterThanOrEqual(Number(acknowledgement.p50_ms));
  const traded = (referencePrice * (spec.maximumLots / 100)) / 10 ** (spec.tickScale + spec.lotScale);
  expect(Number(volume_24h) - before).toBeCloseTo(traded, -1);
});

it('a halted pair is not counted', async () => {
  const { pairs } = await figures();
  expect(pairs).toBe(exchange.catalogue.markets.length);
  const { outcome } = await submit({
    kind: 'halt-market',
    market: exchange.catalogue.markets[1]!.spec.id,
    halted: true,
  });
  expect(outcome).toEqual({ ok: true });
  expect((await figures()).pairs).toBe(pairs - 1);
});

it('the fees of level 0 are those that the operator set for everyone', async () => {
  await submit({ kind: 'set-default-fees', makerPpm: 750, takerPpm: 900 });
  const { tiers } = await exchange.get('/api/v3/fee-tiers');
  expect(tiers[0]).toEqual({ level: 0, maker_fee_percent: '0.0750', taker_fee_percent: '0.0900' });
  expect(tiers[5]).toEqual({ level: 5, maker_fee_percent: '0.0000', taker_fee_percent: '0.0200' });
  expect(await figures()).toMatchObject({ maker_fee_percent: '0.0750', taker_fee_percent: '0.0900' });
});
