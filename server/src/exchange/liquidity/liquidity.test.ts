import { accountKey, Bucket, HOUSE_MAKER, HOUSE_TAKER, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { NotAccepted, type Submission } from '../engine/feed.ts';
import { startOn, type TestExchange } from '../market-data/test-exchange.ts';
import { createPerpetualReference, createSimulatedReference } from './service.ts';
import { closeAll, fixedReference, house, notices, open, outside, running, startIndexed } from './test-house.ts';

afterEach(closeAll);

const simulated = ({ engine, catalogue, marketData, clock }: TestExchange) => {
  const reference = createSimulatedReference({
    ...{ catalogue, marketData, clock, seed: 5 },
    bandPrice: (market) => engine.exchange.bandPrice(market),
  });
  return createPerpetualReference({ reference, catalogue, clock, seed: 5, isSimulated: true });
};

describe('the simulated market', () => {
  it('quotes twenty levels a side of every pair, trades, and costs few commands', async () => {
    const exchange = await open();
    const liquidity = await house(exchange, simulated(exchange), true);
    const { marketData, catalogue, clock } = exchange;
    const levels = (id: number) => {
      const { asks, bids } = marketData.book(id, 50);
      return Math.min(asks.length, bids.length);
    };
    await liquidity.until(() => catalogue.listed.every(({ spec: { id } }) => levels(id) >= 20), 'twenty levels a side');
    const usdt = catalogue.assetByCode('USDT')!;
    const insurance = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, usdt.id);
    expect(exchange.engine.exchange.balance(insurance)).toBe(1_000n * 10n ** BigInt(usdt.scale));
    const begun = liquidity.commandsSent();
    const time = clock.now();
    await liquidity.rounds(8);
    const perSecond = ((liquidity.commandsSent() - begun) * 1000) / (clock.now() - time);
    expect(perSecond).toBeGreaterThan(10);
    expect(perSecond).toBeLessThan(80);
    const btc = catalogue.resolvePair('BTC-USDT-SWAP')!.spec.id;
    // Times between trades are drawn, so how many fall into some seconds is chance.
    await liquidity.until(() => [0, btc].every((id) => marketData.trades(id, 2).length === 2), 'trades of both books');
    expect(Math.abs(marketData.lastPrice(btc) / marketData.lastPrice(0) - 1)).toBeLessThan(0.01);
    // Its two accounts pay fees to the exchange, which are not lost.
    const fees = accountKey(SystemOwner.FEES, Wallet.SPOT, Bucket.AVAILABLE, usdt.id);
    expect(exchange.engine.exchange.balance(fees)).toBeGreaterThan(0n);
    expect(Math.abs(liquidity.result())).toBeLessThan(0.001);
    const { bid, ask } = marketData.ticker(0);
    expect(ask![0]).toBeGreaterThan(bid![0]);
    expect((ask![0] - bid![0]) / bid![0]).toBeLessThan(0.001);
  });

  it('says when it fills up an insurance that was spent while it ran, and not at its start', async () => {
    const exchange = await open();
    const insured = { whole: 1_000n };
    const liquidity = await house(exchange, simulated(exchange), false, insured);
    const { id, scale } = exchange.catalogue.assetByCode('USDT')!;
    const insurance = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, id);
    const has = () => exchange.engine.exchange.balance(insurance) / 10n ** BigInt(scale);
    expect([notices, has()]).toEqual([[], 1_000n]);
    // What it has is less than a quarter of that.
    insured.whole = 9_000n;
    exchange.clock.advance(601_000);
    await liquidity.until(() => has() === 9_000n, 'an insurance that is full again');
    expect(notices).toEqual([{ kind: 'insurance-refilled', asset: id, amount: 8_000n * 10n ** BigInt(scale) }]);
  });

  it('says when it fills up what has left its accounts, and not what went from one of them to the other', async () => {
    const exchange = await open();
    const liquidity = await house(exchange, fixedReference(new Map()), false);
    const { engine, catalogue, clock } = exchange;
    const [btc, eth] = ['BTC', 'ETH'].map((code) => catalogue.assetByCode(code)!.id) as [number, number];
    const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const take = async (asset: number, reason: 'withdrawal' | 'internal-withdrawal', to: number, part: bigint) => {
      const from = spot(HOUSE_MAKER, asset);
      const amount = (engine.exchange.balance(from) * part) / 10n;
      const legs = [{ from, to: spot(to, asset), amount }];
      const facts = { reference: HOUSE_MAKER, isPending: false, detail: '' };
      expect((await engine.sequencer.submit({ kind: 'transfer', reason, legs, ...facts })).outcome.ok).toBe(true);
      return amount;
    };
    const before = engine.exchange.balance(spot(HOUSE_MAKER, eth));
    const left = await take(btc, 'withdrawal', SystemOwner.CUSTODY, 8n);
    await take(eth, 'internal-withdrawal', HOUSE_TAKER, 8n);
    clock.advance(601_000);
    await liquidity.until(
      () => engine.exchange.balance(spot(HOUSE_MAKER, eth)) === before,
      'capital that is full again',
    );
    // Of 50 million in BTC four fifths; the alarms double from 100,000 on.
    expect(notices).toEqual([
      { kind: 'capital-lost', usdt: 25_600_000 },
      { kind: 'maker-refilled', asset: btc, amount: left },
    ]);
    // A refill does not make up for it, and it is not said again.
    clock.advance(699_000);
    await liquidity.rounds(3);
    expect(notices).toHaveLength(2);
  });

  it('says what its accounts lack at a start as well, where it was there before', async () => {
    const exchange = await open();
    const before = await house(exchange, fixedReference(new Map()), false);
    await before.close();
    const { engine, catalogue } = exchange;
    const { id } = catalogue.assetByCode('BTC')!;
    const [from, to] = [HOUSE_MAKER, SystemOwner.CUSTODY].map((owner) =>
      accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, id),
    ) as [number, number];
    const legs = [{ from, to, amount: (engine.exchange.balance(from) * 8n) / 10n }];
    const facts = { reference: HOUSE_MAKER, isPending: false, detail: '' };
    await engine.sequencer.submit({ kind: 'transfer', reason: 'withdrawal', legs, ...facts });
    expect(notices).toEqual([]);
    await house(exchange, fixedReference(new Map()), false);
    expect(notices).toContainEqual({ kind: 'maker-refilled', asset: id, amount: legs[0]!.amount });
  });

  it('takes its quotes away and fills nothing up once more was lost than may be, after a start too, until it is less', async () => {
    const exchange = await open();
    const { engine, catalogue, clock } = exchange;
    const prices = new Map([[0, 912_500]]);
    const settings = { whole: 1_000n, lossLimit: 30_000_000 };
    const first = await house(exchange, fixedReference(prices), true, settings);
    await first.until(() => first.openQuotes(0) === 44, 'the ladder');
    const asset = catalogue.assetByCode('BTC')!.id;
    const [maker, custody] = [HOUSE_MAKER, SystemOwner.CUSTODY].map((owner) =>
      accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset),
    ) as [number, number];
    const move = async (reason: 'withdrawal' | 'deposit', from: number, to: number, amount: bigint) => {
      const facts = { reference: HOUSE_MAKER, isPending: false, detail: '' };
      const legs = [{ from, to, amount }];
      expect((await engine.sequencer.submit({ kind: 'transfer', reason, legs, ...facts })).outcome.ok).toBe(true);
    };
    const lost = (engine.exchange.balance(maker) * 8n) / 10n;
    await move('withdrawal', maker, custody, lost);
    clock.advance(601_000);
    await first.until(() => exchange.marketData.book(0, 5).asks.length === 0, 'no quotes');
    expect(notices).toContainEqual({ kind: 'loss-limit', usdt: 30_000_000 });
    const sent = first.commandsSent();
    await first.rounds(2);
    expect(first.commandsSent()).toBe(sent);
    expect(notices.filter(({ kind }) => kind === 'maker-refilled')).toEqual([]);
    await first.close();

    const second = await house(exchange, fixedReference(prices), true, settings);
    await second.rounds(2);
    expect([second.openQuotes(0), notices[0]]).toEqual([0, { kind: 'loss-limit', usdt: 30_000_000 }]);
    await move('deposit', custody, maker, lost / 2n);
    clock.advance(2_000);
    await second.until(() => second.openQuotes(0) === 44, 'quotes again');
  });

  it('takes its quotes and its capital over after a restart', async () => {
    const first = await startIndexed();
    const before = await house(first, simulated(first), false);
    const ids = first.catalogue.listed.map(({ spec }) => spec.id);
    await before.until(() => ids.every((id) => before.openQuotes(id) >= 40), 'quotes');
    await before.close();
    running.length = 0;
    const open = first.engine.exchange.openOrdersOf(HOUSE_MAKER).length;
    await first.stop();
    const restarted = await startOn(await first.source.open(), first.source, { now: Date.now });
    const second = { ...restarted, clock: first.clock };
    running.push({
      close: async () => {
        await second.stop();
        await first.source.remove();
      },
    });
    const after = await house(second, simulated(second), false);
    // Two, and what the first prices have run past.
    expect(after.commandsSent()).toBeLessThan(open / 5);
    await after.rounds(2);
    expect(second.engine.exchange.openOrdersOf(HOUSE_MAKER).length).toBeLessThan(open * 1.1);
    expect(after.openQuotes(0)).toBeGreaterThanOrEqual(40);
  });
});

describe('a market maker whose pairs change', () => {
  it('goes on without a delisted pair, after a restart too, and leaves a pair that no profile knows to clients', async () => {
    const first = await startIndexed();
    await first.engine.sequencer.submit({ kind: 'halt-market', market: 0, halted: true });
    const delisted = await first.engine.sequencer.submit({ kind: 'delist-market', market: 0 });
    expect(delisted.outcome).toEqual({ ok: true });
    await first.stop();
    const restarted = await startOn(await first.source.open(), first.source, { now: Date.now });
    const second = { ...restarted, clock: first.clock };
    running.push({
      close: async () => {
        await second.stop();
        await first.source.remove();
      },
    });
    const liquidity = await house(second, simulated(second), true);
    const listed = { asset: 900, market: 900 };
    const { sequencer } = second.engine;
    await sequencer.submit({ kind: 'list-asset', asset: listed.asset, code: 'ACME', scale: 6 });
    const usdt = second.catalogue.assetByCode('USDT')!.id;
    const terms = { tickScale: 3, lotScale: 2, minimumLots: 1, maximumLots: 100_000, minimumNotional: 1n };
    const pair = { market: listed.market, symbol: 'ACME-USDT', base: listed.asset, quote: usdt, priceBandPpm: 100_000 };
    await sequencer.submit({ kind: 'list-market', ...pair, ...terms });
    await sequencer.submit({ kind: 'set-reference-price', market: listed.market, price: 4_200 });
    await liquidity.until(
      () =>
        second.catalogue.markets.every(({ spec: { id } }) => id === listed.market || liquidity.openQuotes(id) >= 40),
      'quotes of every pair with a profile',
    );
    expect(liquidity.openQuotes(0)).toBe(0);
    expect(liquidity.openQuotes(listed.market)).toBe(0);
    expect(second.marketData.ticker(listed.market)).toMatchObject({ last: 4_200, open: 4_200 });
  });
});

describe('a given reference', () => {
  it('moves only what has to move', async () => {
    const exchange = await open();
    const prices = new Map([[0, 912_500]]);
    const liquidity = await house(exchange, fixedReference(prices), false);
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
    await liquidity.rounds(2);
    const quoted = liquidity.commandsSent();
    await liquidity.rounds(2);
    expect(liquidity.commandsSent()).toBe(quoted);
    prices.set(0, 912_700);
    // A quote that could not move is put anew by the round after.
    await liquidity.until(() => {
      const [bid = 0, ask = 0] = [exchange.marketData.ticker(0).bid?.[0], exchange.marketData.ticker(0).ask?.[0]];
      return bid < 912_700 && ask > 912_700 && ask - bid < 60;
    }, 'quotes around the price');
    expect(liquidity.commandsSent() - quoted).toBeGreaterThan(2);
    expect(liquidity.commandsSent() - quoted).toBeLessThan(16);
  });

  it('says once that a price has left the band, within which nothing is quoted, and quotes it in a wider one', async () => {
    const exchange = await open();
    const prices = new Map([[0, 912_500]]);
    const liquidity = await house(exchange, fixedReference(prices), false);
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
    prices.set(0, 1_050_000);
    await liquidity.until(() => liquidity.openQuotes(0) === 0, 'no quotes');
    await liquidity.rounds(2);
    expect(outside).toEqual(['BTC-USDT']);
    const { minimumLots, maximumLots, minimumNotional } = exchange.catalogue.byId(0)!.spec;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm: 300_000 };
    await exchange.engine.sequencer.submit({ kind: 'change-market', market: 0, ...limits });
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'quotes around the price of now');
    expect(exchange.marketData.ticker(0).bid![0]).toBeGreaterThan(1_049_000);
  });

  it('fills a client whose price it crosses', async () => {
    const exchange = await open();
    const prices = new Map([[0, 912_500]]);
    const liquidity = await house(exchange, fixedReference(prices), false);
    await liquidity.until(() => exchange.marketData.book(0, 50).bids.length >= 20, 'the ladder');
    await exchange.fund(1000, 'USDT', 10n ** 14n);
    await exchange.place(1000, 0, BUY, 912_400, 100);
    prices.set(0, 911_000);
    // The book is emptied before the commit, and the trade is told after it.
    await liquidity.until(() => exchange.marketData.trades(0, 1).length === 1, 'the trade');
    expect(exchange.engine.exchange.openOrdersOf(1000)).toEqual([]);
    expect(exchange.marketData.trades(0, 1)[0]).toMatchObject({ price: 912_400, takerSide: SELL });
  });

  it('pulls its quotes while the price is unknown, and comes back', async () => {
    const exchange = await open();
    const prices = new Map([[0, 912_500]]);
    const liquidity = await house(exchange, fixedReference(prices), false);
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
    prices.delete(0);
    await liquidity.until(() => liquidity.openQuotes(0) === 0, 'no quotes');
    expect(exchange.marketData.book(0, 5)).toMatchObject({ asks: [], bids: [] });
    prices.set(0, 912_500);
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'quotes again');
  });

  it('steps back while the exchange is overloaded and then goes on with what is open', async () => {
    const exchange = await open();
    const prices = new Map([[0, 912_500]]);
    const { sequencer } = exchange.engine;
    let busy = false;
    let refused = 0;
    const sometimes = {
      submit: (submission: Submission) => {
        if (!busy) return sequencer.submit(submission);
        refused += 1;
        return Promise.reject(new NotAccepted('full'));
      },
    };
    const liquidity = await house(exchange, fixedReference(prices), false, { whole: 0n }, sometimes);
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
    busy = true;
    prices.set(0, 915_000);
    await liquidity.until(() => refused > 0, 'a refusal');
    exchange.clock.advance(499);
    await liquidity.look();
    expect(refused).toBeLessThan(60);
    busy = false;
    await liquidity.until(() => exchange.marketData.ticker(0).bid![0] > 914_000, 'new quotes');
    await liquidity.until(() => liquidity.openQuotes(0) === 44, 'no more quotes than before');
  });
});

it('takes what the price has run past out of the book before a start ends, and what has no price', async () => {
  const exchange = await open();
  const prices = new Map([
    [0, 912_500],
    [1, 35_000],
  ]);
  const before = await house(exchange, fixedReference(prices), false);
  await before.until(() => before.openQuotes(0) === 44 && before.openQuotes(1) === 44, 'the ladders');
  await before.close();
  prices.set(0, 940_000);
  prices.delete(1);
  await house(exchange, fixedReference(prices), false);
  const { asks, bids } = exchange.marketData.book(0, 50);
  expect(asks.filter(([price]) => price < 940_000)).toEqual([]);
  expect(bids.length).toBeGreaterThan(0);
  expect(exchange.marketData.book(1, 50)).toMatchObject({ asks: [], bids: [] });
});

it('takes its quotes out of a halted market: the first order after the halt meets none of the price before it', async () => {
  const exchange = await open();
  const { sequencer } = exchange.engine;
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
  await exchange.fund(1000, 'USDT', 10n ** 14n);
  await sequencer.submit({ kind: 'halt-market', market: 0, halted: true });
  prices.set(0, 940_000);
  await liquidity.rounds(1);
  const resumed = sequencer.submit({ kind: 'halt-market', market: 0, halted: false });
  await Promise.all([resumed, exchange.place(1000, 0, BUY, 913_000, 100)]);
  expect(exchange.marketData.trades(0, 1)).toEqual([]);
  await liquidity.until(() => liquidity.openQuotes(0) >= 40, 'quotes around the price of now');
  // What the client offers to pay was far below it.
  expect(exchange.marketData.ticker(0).ask?.[0]).toBeGreaterThan(939_000);
});

it('leaves a halted market alone, and the instruments say that it is suspended', async () => {
  const exchange = await open();
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), true);
  await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
  await exchange.engine.sequencer.submit({ kind: 'halt-market', market: 0, halted: true });
  await liquidity.rounds(1);
  const sent = liquidity.commandsSent();
  prices.set(0, 915_000);
  await liquidity.rounds(2);
  expect(liquidity.commandsSent()).toBe(sent);
  const { data } = (await exchange.get('/api/v5/public/instruments?instType=SPOT&instId=BTC-USDT')) as {
    data: { state: string }[];
  };
  expect(data[0]!.state).toBe('suspend');
});
