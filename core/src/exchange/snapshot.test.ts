import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SectionReader, SectionWriter, UnreadableSections } from '../collections/sections.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { issue } from '../ledger/issue.ts';
import { columnsOf, recordsOf } from '../margin/holding-columns.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { LONG, SHORT } from '../margin/perpetual.ts';
import { BTC_USDT, listing, TEST_MARKETS, TEST_PERPETUALS, USDT } from '../simulation/markets.ts';
import { PerpetualWorkload } from '../simulation/perpetual-workload.ts';
import { Random } from '../simulation/random.ts';
import { createReferenceExchange } from '../simulation/reference-exchange.ts';
import { type Step, Workload } from '../simulation/workload.ts';
import { BUY, NET, SELL } from '../terms/order-terms.ts';
import { createExchange, type FastExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { readBalances, readSnapshot, SnapshotRefused, writeSnapshot } from './snapshot.ts';
import { loadHoldings, saveHoldings } from './snapshot-records.ts';

const OWNERS = 6;
const FACTS = { rules: 2, batch: 77 };

/** Exchanges that have gone the same way: markets, then a seeded workload, then a transfer that is pending. */
function grown(seed: number, steps: number) {
  const workload = new Workload(new Random(seed), TEST_MARKETS, OWNERS);
  const fast = createExchange();
  const reference: Exchange = createReferenceExchange();
  const both = [fast, reference];
  const apply = (time: number, command: Parameters<Exchange['apply']>[1]) => {
    for (const exchange of both) {
      exchange.apply(time, command);
      exchange.takeEvents();
    }
  };
  for (const command of listing(TEST_MARKETS)) apply(0, command);
  for (let count = 0; count < steps; count += 1) {
    const { time, command } = workload.next();
    apply(time, command);
  }
  const { time } = workload.next();
  const spot = accountKey(100, Wallet.SPOT, Bucket.AVAILABLE, USDT.id);
  const funding = accountKey(100, Wallet.FUNDING, Bucket.AVAILABLE, USDT.id);
  apply(time, { ...issue('development-credit', 100, USDT.id, 9n), origin: { source: 7, sequence: 1 } });
  const legs = [{ from: spot, to: funding, amount: 5n }];
  const facts = { transferId: 0, reference: 100, detail: 'kept: é ✓', isPending: true, legs };
  apply(time, { kind: 'transfer', reason: 'wallet-transfer', ...facts });
  return { workload, fast, reference };
}

const restored = (fast: FastExchange) => readSnapshot(writeSnapshot(fast, FACTS).bytes, FACTS.rules);

describe('a snapshot', () => {
  it('says what every account holds without becoming an exchange again', () => {
    const { fast } = grown(11, 400);
    const { bytes, stateHash } = writeSnapshot(fast, FACTS);
    const read = readBalances(bytes, FACTS.rules);
    expect(read).toMatchObject({ ...FACTS, stateHash, assets: fast.assets() });
    const held = [...read.keys].flatMap((key, index) =>
      read.balances[index] === 0n ? [] : [[key, read.balances[index]]],
    );
    const { keys, amounts } = fast.balances();
    const all = [...keys].map((key, index) => [key, amounts[index]]);
    const order = (rows: unknown[][]) => rows.sort((one, other) => Number(one[0]) - Number(other[0]));
    expect(held.length).toBeGreaterThan(10);
    expect(order(held)).toEqual(order(all));
    const changed = bytes.slice();
    changed[bytes.length >> 1]! ^= 1;
    expect(() => readBalances(changed, FACTS.rules)).toThrow(SnapshotRefused);
    expect(() => readBalances(bytes, FACTS.rules + 1)).toThrow(SnapshotRefused);
  });

  it('of any exchange restores its state, and from then on the same happens as in the original and its twin', () => {
    const seeds = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 400 }), (seed, steps) => {
        const { workload, fast, reference } = grown(seed, steps);
        const { exchange: copy, batch, stateHash } = restored(fast);
        expect([batch, stateHash]).toEqual([FACTS.batch, fast.stateHash()]);
        expect([copy.stateHash(), reference.stateHash()]).toEqual([stateHash, stateHash]);
        expect(copy.takeEvents()).toEqual([]);
        for (let count = 0; count < 80; count += 1) {
          const { time, command } = workload.next();
          const expected = fast.apply(time, command);
          expect(copy.apply(time, command)).toEqual(expected);
          expect(reference.apply(time, command)).toEqual(expected);
          const events = fast.takeEvents();
          expect(copy.takeEvents()).toEqual(events);
          expect(reference.takeEvents()).toEqual(events);
        }
        expect(copy.stateHash()).toBe(fast.stateHash());
      }),
      { numRuns: 60 },
    );
  });

  it('keeps what the hash of the state leaves out: names, details, used accounts without a balance', () => {
    const { fast } = grown(11, 600);
    const { exchange: copy } = restored(fast);
    expect([fast.openOrderCount() > 5, fast.untriggeredOrderCount() > 1]).toEqual([true, true]);
    expect(copy.assets()).toEqual(fast.assets());
    expect(copy.markets()).toEqual(fast.markets());
    expect(copy.pendingTransfers()).toEqual(fast.pendingTransfers());
    expect(copy.pendingTransfers().at(-1)?.detail).toBe('kept: é ✓');
    expect(copy.sequences()).toEqual(fast.sequences());
    for (let owner = 1; owner < 100 + OWNERS; owner += 1) {
      expect(copy.accountsOf(owner)).toEqual(fast.accountsOf(owner));
      expect(copy.feesOf(owner)).toEqual(fast.feesOf(owner));
      expect(copy.openOrdersOf(owner)).toEqual(fast.openOrdersOf(owner));
      expect(copy.untriggeredOrdersOf(owner)).toEqual(fast.untriggeredOrdersOf(owner));
      expect(copy.twaps(owner)).toEqual(fast.twaps(owner));
    }
  });

  it('brings positions back, and what is reserved by orders that may open more', () => {
    const workload = new PerpetualWorkload(new Random(31), TEST_PERPETUALS, OWNERS);
    const fast = createExchange();
    for (const command of listing(TEST_PERPETUALS)) fast.apply(0, command);
    const step = (exchange: Exchange, { time, command }: Step) => exchange.apply(time, command);
    for (let count = 0; count < 900; count += 1) step(fast, workload.next());
    fast.takeEvents();
    const { exchange: copy } = restored(fast);
    expect(copy.stateHash()).toBe(fast.stateHash());
    expect(copy.holdings()).toEqual(fast.holdings());
    expect(fast.holdings().filter(({ position }) => position).length).toBeGreaterThan(2);
    expect(fast.holdings().some(({ position, leg }) => position !== undefined && leg !== NET)).toBe(true);
    for (let count = 0; count < 300; count += 1) {
      const next = workload.next();
      expect(step(copy, next)).toEqual(step(fast, next));
      expect(copy.takeEvents()).toEqual(fast.takeEvents());
    }
  });

  it('of an exchange without anything restores one', () => {
    const { exchange } = restored(createExchange());
    expect(exchange.stateHash()).toBe(createExchange().stateHash());
  });

  it('holds amounts to the last unit', () => {
    const fast = createExchange();
    for (const command of listing(TEST_MARKETS)) fast.apply(0, command);
    const key = accountKey(200, Wallet.SPOT, Bucket.AVAILABLE, USDT.id);
    fast.restoreBalance(key, 9_223_372_036_854_775_807n);
    const other = accountKey(7, Wallet.SPOT, Bucket.AVAILABLE, USDT.id);
    fast.restoreBalance(other, -9_223_372_036_854_775_807n);
    const { exchange } = restored(fast);
    expect([exchange.balance(key), exchange.balance(other)]).toEqual([fast.balance(key), fast.balance(other)]);
  });

  it('whose bytes were changed or cut short anywhere is refused', () => {
    const { bytes } = writeSnapshot(grown(12, 300).fast, FACTS);
    const place = fc.integer({ min: 0, max: bytes.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = bytes.slice();
        changed[at]! ^= flip;
        expect(() => readSnapshot(changed, FACTS.rules)).toThrow(SnapshotRefused);
        expect(() => readSnapshot(bytes.slice(0, at), FACTS.rules)).toThrow(SnapshotRefused);
      }),
      { numRuns: 200 },
    );
    expect(() => readSnapshot(bytes.slice(0, bytes.length - 8), FACTS.rules)).toThrow(/words instead of/);
  });

  it('of other rules is refused', () => {
    const { bytes } = writeSnapshot(grown(13, 10).fast, FACTS);
    expect(() => readSnapshot(bytes, FACTS.rules + 1)).toThrow(/of rules 2, and these are 3/);
  });

  it('holds 200,000 open orders in less than 50 bytes each, in the order of their queues', () => {
    const exchange = createExchange();
    for (const command of listing(TEST_MARKETS)) exchange.apply(0, command);
    const random = new Random(1);
    const usual = { market: BTC_USDT.id, type: 'limit', timeInForce: 'GTC', selfTrade: 'CANCEL_NEWEST' } as const;
    const sizes = {
      quantity: 100,
      remaining: 100,
      filledValue: 0n,
      fee: 0n,
      credit: 0n,
      createdAt: 1,
      visible: 0,
      hidden: 0,
    };
    for (let orderId = 1; orderId <= 200_000; orderId += 1) {
      const side = orderId % 2 === 0 ? BUY : SELL;
      const price = side === BUY ? random.between(630_000, 640_000) : random.between(640_001, 650_000);
      const owner = random.between(100, 20_000);
      exchange.restoreOrder({ ...usual, ...sizes, orderId, owner, side, price, priority: orderId });
    }
    const { bytes, stateHash } = writeSnapshot(exchange, FACTS);
    expect(bytes.length).toBeLessThan(200_000 * 50);
    const { exchange: copy } = readSnapshot(bytes, FACTS.rules);
    expect([copy.openOrderCount(), copy.stateHash()]).toEqual([200_000, stateHash]);
  });
});

describe('holdings', () => {
  const chosen = { leverage: 10, isIsolated: false, isHedged: false, margin: 0n, fundingIndex: 0n, term: undefined };
  const holdings: readonly HoldingRecord[] = [
    {
      ...{ owner: 1001, market: 3, leg: SHORT, leverage: 25, isIsolated: true, isHedged: false, margin: 77n },
      position: { direction: SHORT, lots: 20, cost: 1_234_567_890_123n },
      // Wider than 64 bits.
      fundingIndex: -(2n ** 70n) - 5n,
      term: { startedAt: 5, endsAt: 600, target: 9n, floor: 8n, discount: 7n },
    },
    { ...chosen, owner: 1002, market: 3, leg: NET, isHedged: true, position: undefined },
    {
      ...{ ...chosen, owner: 1003, market: 4, leg: NET, fundingIndex: 12n },
      position: { direction: LONG, lots: 7, cost: 5n },
    },
  ];

  function read(writer: SectionWriter): readonly HoldingRecord[] {
    const restored: HoldingRecord[] = [];
    loadHoldings(new SectionReader(writer.finish()), {
      restoreHoldings: (columns) => restored.push(...recordsOf(columns)),
    });
    return restored;
  }

  it('come back as they were written', () => {
    const writer = new SectionWriter();
    saveHoldings(writer, columnsOf(holdings));
    expect(read(writer)).toEqual(holdings);
  });

  it('are read as they were written before they were columns', () => {
    const writer = new SectionWriter();
    writer.section('holdings', 1);
    writer.text(
      '[[1001,3,25,true,[1,20,"1234567890123"],"77","-1180591620717411303429",2,"",[5,600,"9","8"]],' +
        '[1002,3,10,false,"","0","0","",true,""],[1003,4,10,false,[0,7,"5"],"0","12","","",""]]',
    );
    // Terms had no discount then.
    const before = holdings.map(({ term, ...one }) => ({ ...one, term: term && { ...term, discount: undefined } }));
    expect(read(writer)).toEqual(before);
  });

  it('of a later version are refused', () => {
    const writer = new SectionWriter();
    writer.section('holdings', 3);
    expect(() => read(writer)).toThrow(UnreadableSections);
  });
});
