import { beforeEach, describe, expect, it } from 'vitest';
import { createExchange, type FastExchange } from '../exchange/create-exchange.ts';
import { BTC, BTC_USDT, ETH, listing, TEST_MARKETS, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { accountKey, accountParts, Bucket, MAXIMUM_OWNER, SystemOwner, Wallet } from './account.ts';
import { feeAfterCredit, feeOf } from './fee.ts';
import { issue } from './issue.ts';
import type { TransferReason } from './movements.ts';

const PLENTY = 1_000_000_000_000n;
const NEWCOMER = 300;

describe.each(ENGINES)('money, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
  });

  it('is held for what the open part of an order can cost', () => {
    floor.buy({ price: 640_000, quantity: 100 });
    expect([floor.available(ALICE, USDT.id), floor.held(ALICE, USDT.id)]).toEqual([PLENTY - 64_000_000n, 64_000_000n]);
    floor.sell({ owner: BOB, price: 650_000, quantity: 100 });
    expect([floor.available(BOB, BTC.id), floor.held(BOB, BTC.id)]).toEqual([PLENTY - 100_000n, 100_000n]);
    expect(floor.orders().map(({ held }) => held)).toEqual([100_000n]);
  });

  it('moves at the better price, and only what remains is held', () => {
    floor.sell({ owner: BOB, price: 630_000, quantity: 40 });
    floor.buy({ price: 640_000, quantity: 100 });
    expect(floor.held(ALICE, USDT.id)).toBe(38_400_000n);
    expect(floor.available(ALICE, USDT.id)).toBe(PLENTY - 38_400_000n - 25_200_000n);
  });

  it('goes to the other side less a fee in what is received, rounded up', () => {
    floor.sell({ owner: BOB, price: 630_001, quantity: 33 });
    floor.buy({ price: 640_000, quantity: 33 });
    // 33 lots are 33,000 base units: 0.1 % is 33. The value is 20,790,033: 0.08 % is 16,632.03.
    expect(floor.lastTrade()).toMatchObject({ taker: { fee: 33n, credit: 0n }, maker: { fee: 16_633n, credit: 0n } });
    const fees = (asset: number) => floor.available(SystemOwner.FEES, asset);
    expect([fees(BTC.id), fees(USDT.id)]).toEqual([33n, 16_633n]);
    expect(floor.postings().map((postings) => postings.length)).toEqual([6]);
  });

  it('takes the fees that were set for an owner', () => {
    floor.apply({ kind: 'set-fees', owner: ALICE, makerPpm: 0, takerPpm: 1_000_000 });
    floor.sell({ owner: BOB });
    floor.buy({});
    expect(floor.lastTrade().taker.fee).toBe(100_000n);
    floor.buy({});
    floor.sell({ owner: BOB });
    expect(floor.lastTrade().maker.fee).toBe(0n);
    for (const makerPpm of [-1, 0.5, 1_000_001, Number.NaN]) {
      expect(floor.verdict({ kind: 'set-fees', owner: ALICE, makerPpm, takerPpm: 0 })).toBe('INVALID_FEE');
    }
  });

  it('pays fees from credit first, and in proportion when credit runs out', () => {
    floor.apply(issue('fee-credit-grant', ALICE, USDT.id, 80_000n));
    floor.sell({ owner: BOB, quantity: 200 });
    floor.buy({ quantity: 100 });
    // The fee is worth 0.1 % of 64,000,000.
    expect(floor.lastTrade().taker).toMatchObject({ fee: 0n, credit: 64_000n });
    expect(floor.credit(ALICE)).toBe(16_000n);
    floor.buy({ quantity: 100 });
    expect(floor.lastTrade().taker).toMatchObject({ fee: 75n, credit: 16_000n });
    expect(floor.credit(ALICE)).toBe(0n);
    floor.buy({ quantity: 100 });
    floor.sell({ owner: BOB, quantity: 100 });
    expect(floor.lastTrade().maker).toMatchObject({ fee: 80n, credit: 0n });
  });

  it('pays a seller’s fee from credit in quote units one for one', () => {
    floor.apply(issue('fee-credit-grant', BOB, USDT.id, 50_000n));
    floor.sell({ owner: BOB, quantity: 100 });
    floor.buy({ quantity: 100 });
    expect(floor.lastTrade().maker).toMatchObject({ fee: 1_200n, credit: 50_000n });
    expect(floor.postings()[0]).toHaveLength(7);
  });

  it('enters circulation from the account that answers for it', () => {
    floor.apply(issue('development-credit', NEWCOMER, ETH.id, 5n));
    floor.apply(issue('house-capital', NEWCOMER, ETH.id, 5n));
    floor.apply(issue('fee-credit-grant', NEWCOMER, USDT.id, 5n));
    expect(floor.available(NEWCOMER, ETH.id)).toBe(10n);
    expect(floor.credit(NEWCOMER)).toBe(5n);
    expect(floor.available(SystemOwner.HOUSE_CAPITAL, ETH.id)).toBe(-5n);
    expect(floor.available(SystemOwner.PROMOTIONS, USDT.id)).toBe(-5n);
    expect(floor.exchange.accountsOf(NEWCOMER)).toEqual([
      accountKey(NEWCOMER, Wallet.SPOT, Bucket.AVAILABLE, ETH.id),
      accountKey(NEWCOMER, Wallet.CREDIT, Bucket.AVAILABLE, USDT.id),
    ]);
  });

  describe('that leaves', () => {
    const key = (owner: number, wallet: Wallet = Wallet.SPOT, bucket: Bucket = Bucket.AVAILABLE) =>
      accountKey(owner, wallet, bucket, USDT.id);
    const ask = (reason: TransferReason, to: readonly number[], from = key(ALICE), isPending = true) => {
      const legs = to.map((receiver) => ({ from, to: receiver, amount: 1_000n }));
      return floor.verdict({ kind: 'transfer', transferId: 0, reason, reference: 7, isPending, legs, detail: '' });
    };
    const custody = key(SystemOwner.CUSTODY);

    it('by a withdrawal goes to custody and to fees only, from a spot wallet', () => {
      expect(ask('withdrawal', [custody, key(SystemOwner.FEES)])).toBe('OK');
      expect(ask('withdrawal', [custody])).toBe('OK');
      for (const to of [BOB, SystemOwner.SUSPENSE, SystemOwner.NETWORK_COSTS, SystemOwner.HOUSE_CAPITAL]) {
        expect(ask('withdrawal', [custody, key(to)])).toBe('INVALID_TRANSFER');
      }
      expect(ask('withdrawal', [key(SystemOwner.CUSTODY, Wallet.FUNDING)])).toBe('INVALID_TRANSFER');
      expect(ask('withdrawal', [custody], key(ALICE, Wallet.FUNDING))).toBe('INVALID_TRANSFER');
      expect(ask('withdrawal', [custody], key(ALICE, Wallet.SPOT, Bucket.HELD))).toBe('INVALID_TRANSFER');
      expect(ask('withdrawal', [key(SystemOwner.FEES)], custody)).toBe('INVALID_TRANSFER');
    });

    it('inside the exchange goes to clients only', () => {
      expect(ask('internal-withdrawal', [key(BOB)])).toBe('OK');
      for (const to of [custody, key(SystemOwner.FEES), key(BOB, Wallet.FUNDING)]) {
        expect(ask('internal-withdrawal', [to])).toBe('INVALID_TRANSFER');
      }
      expect(ask('internal-withdrawal', [key(BOB)], custody)).toBe('INVALID_TRANSFER');
    });

    it('for what chains charge is the exchange’s own, at once', () => {
      const costs = key(SystemOwner.NETWORK_COSTS);
      expect(ask('network-cost', [custody], costs, false)).toBe('OK');
      expect(ask('network-cost', [custody], costs, true)).toBe('INVALID_TRANSFER');
      expect(ask('network-cost', [custody], key(ALICE), false)).toBe('INVALID_TRANSFER');
      expect(ask('network-cost', [key(ALICE)], costs, false)).toBe('INVALID_TRANSFER');
    });

    it('is still the client’s until it is posted, and all of it comes back where it is not', () => {
      const facts = { kind: 'transfer', reason: 'withdrawal', reference: 7, isPending: true, detail: '' } as const;
      const legs = [
        { from: key(ALICE), to: custody, amount: 900n },
        { from: key(ALICE), to: key(SystemOwner.FEES), amount: 100n },
      ];
      const pending = () => floor.exchange.balance(key(ALICE, Wallet.SPOT, Bucket.PENDING));
      const left = () => [floor.available(ALICE, USDT.id), pending(), floor.available(SystemOwner.CUSTODY, USDT.id)];
      floor.apply({ ...facts, transferId: 11, legs });
      expect(left()).toEqual([PLENTY - 1_000n, 1_000n, 0n]);
      floor.apply({ kind: 'void-pending', transferId: 11 });
      expect(left()).toEqual([PLENTY, 0n, 0n]);
      floor.apply({ ...facts, transferId: 12, legs });
      floor.apply({ kind: 'post-pending', transferId: 12 });
      expect(left()).toEqual([PLENTY - 1_000n, 0n, 900n]);
      expect(floor.available(SystemOwner.FEES, USDT.id)).toBe(100n);
      expect(floor.verdict({ kind: 'void-pending', transferId: 12 })).toBe('TRANSFER_NOT_FOUND');
    });
  });

  it('is not issued beyond what int64 can carry, nor to the exchange itself', () => {
    const verdict = (amount: bigint, owner: number = NEWCOMER, asset = 9) =>
      floor.verdict(issue('development-credit', owner, asset, amount));
    expect(verdict(0n)).toBe('INVALID_AMOUNT');
    expect(verdict(2n ** 60n + 1n)).toBe('INVALID_AMOUNT');
    expect(verdict(5n, SystemOwner.FEES)).toBe('INVALID_TRANSFER');
    expect(verdict(2n ** 60n)).toBe('OK');
    expect(verdict(1n)).toBe('INVALID_AMOUNT');
    expect(floor.verdict(issue('house-capital', NEWCOMER, 9, 2n ** 60n))).toBe('OK');
  });

  it('carries the largest trade of a market exactly', () => {
    for (const owner of [ALICE, BOB]) {
      for (const asset of [BTC.id, USDT.id]) floor.fund(owner, asset, 2n ** 58n);
    }
    floor.sell({ owner: BOB, price: 2_147_483_647, quantity: 1_000_000 });
    floor.buy({ price: 2_147_483_647, quantity: 1_000_000 });
    expect(floor.lastTrade().maker.fee).toBe(1_717_986_917_600n);
    expect(floor.market({ side: SELL, quantity: 100 })).toBe('NO_LIQUIDITY');
  });
});

describe('fees', () => {
  it('do not overflow for the largest amount', () => {
    const amount = 2n ** 63n - 1n;
    expect(feeOf(amount, 1_000_000)).toBe(amount);
    expect(feeOf(amount, 999_999)).toBe((amount * 999_999n + 999_999n) / 1_000_000n);
    expect(feeOf(0n, 1_000)).toBe(0n);
    expect(feeOf(1n, 1)).toBe(1n);
  });

  it('shrink with credit, rounded up', () => {
    expect(feeAfterCredit(100n, 64_000n, 16_000n)).toBe(75n);
    expect(feeAfterCredit(100n, 64_000n, 64_000n)).toBe(0n);
    expect(feeAfterCredit(1n, 64_000n, 63_999n)).toBe(1n);
  });
});

it('account keys unpack into what was packed', () => {
  const parts = { owner: 2 ** 30 - 1, wallet: Wallet.EARN, bucket: Bucket.PENDING, asset: 2 ** 14 - 1 };
  expect(accountParts(accountKey(parts.owner, parts.wallet, parts.bucket, parts.asset))).toEqual(parts);
});

describe('accounts as records', () => {
  it('keeps what was in an account before the first change of a batch, over several commands', () => {
    const floor = new TradingFloor(createExchange);
    const exchange = floor.exchange as FastExchange;
    const key = accountKey(ALICE, Wallet.SPOT, Bucket.AVAILABLE, USDT.id);
    for (const amount of [5n, 7n]) exchange.apply(floor.time, issue('development-credit', ALICE, USDT.id, amount));
    const batch = exchange.takeBatch();
    const index = batch.balanceKeys.subarray(0, batch.balanceCount).indexOf(key);
    expect([batch.balancesBefore[index], batch.balances[index]]).toEqual([PLENTY, PLENTY + 12n]);
  });

  it('posts a trade to the accounts that are there when looking for credit makes the table grow', () => {
    // How many accounts there are when it happens: each number of them is tried around a power of two.
    for (let owners = 480; owners < 520; owners += 1) {
      const exchange = createExchange();
      for (const command of listing(TEST_MARKETS, { maximumOpenOrdersPerOwner: 10 })) exchange.apply(1, command);
      exchange.apply(1, issue('fee-credit-grant', ALICE, BTC.id, 80_000n));
      for (const { id } of [BTC, USDT]) {
        for (const owner of [ALICE, BOB]) exchange.apply(1, issue('development-credit', owner, id, PLENTY));
      }
      for (let owner = 1; owner <= 2 * owners; owner += 1) {
        exchange.apply(1, issue('development-credit', 1_000 + owner, USDT.id, 1n));
      }
      const order = { kind: 'place-order', market: BTC_USDT.id, type: 'limit', price: 640_000, quantity: 10 } as const;
      const terms = { ...order, timeInForce: 'GTC', quoteTotal: 0n, selfTrade: 'CANCEL_NEWEST' } as const;
      exchange.apply(1, { ...terms, orderId: 1, owner: BOB, side: SELL });
      exchange.apply(1, { ...terms, orderId: 2, owner: ALICE, side: BUY });
      const found = exchange.balance(accountKey(ALICE, Wallet.SPOT, Bucket.AVAILABLE, USDT.id));
      expect({ owners, found }).toEqual({ owners, found: PLENTY - 6_400_000n });
    }
  });

  it('lists the owners of a stretch of numbers, dense and sparse', () => {
    const exchange = createExchange();
    for (const command of listing(TEST_MARKETS, { maximumOpenOrdersPerOwner: 10 })) exchange.apply(1, command);
    const numbers = [201, 5_000, 2 ** 22 - 1, 2 ** 22, 2 ** 29];
    for (const owner of numbers.toReversed()) exchange.apply(1, issue('development-credit', owner, USDT.id, 1n));
    expect(exchange.ownersBetween(100, MAXIMUM_OWNER)).toEqual(numbers);
    expect(exchange.ownersBetween(202, 2 ** 22)).toEqual(numbers.slice(1, 4));
  });
});
