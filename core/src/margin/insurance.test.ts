/** What the insurance pays for where a position is liquidated, in both engines: a lot at 10,000 ticks is a USDT. */
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { INSURED_TO_MARK } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('the insurance, where a position is liquidated, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
  });

  type Terms = Partial<PlaceOrder>;
  const buy = (terms: Terms) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Terms) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const leverage = (owner: number, isIsolated: boolean) =>
    floor.verdict({ kind: 'set-leverage', owner, market: MARKET, leverage: 10, isIsolated });
  const system = (owner: SystemOwner) =>
    floor.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id));
  const insured = () => system(SystemOwner.INSURANCE);
  const insure = (amount: bigint) => {
    const [from, to] = [SystemOwner.HOUSE_CAPITAL, SystemOwner.INSURANCE].map((owner) =>
      accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id),
    );
    const facts = { transferId: 0, reference: 0, isPending: false, detail: '' };
    const legs = [{ from: from!, to: to!, amount }];
    expect(floor.verdict({ kind: 'transfer', reason: 'insurance-capital', legs, ...facts })).toBe('OK');
  };
  /** Alice is long with 5 USDT behind it, Bob is short. */
  const openBarely = (isIsolated: boolean) => {
    leverage(ALICE, isIsolated);
    floor.moveToFutures(ALICE, -94_975_000n);
    expect(sell({ owner: BOB })).toBe('OK');
    expect(buy({})).toBe('OK');
  };
  /** The mark at which Alice is liquidated, with something left. */
  const DUE = 9_040;

  describe.each([true, false])('of what is worth less than nothing at the mark, isolated: %s', (isIsolated) => {
    /** Nothing of Alice's is left at 9,005, and the mark is below that. */
    const MARK = 8_950;
    const INSURED = 100n * USD;
    const deleveraged = () =>
      floor.events.flatMap((event) => (event.kind === 'position-deleveraged' ? [[event.price, event.lots]] : []));

    it('is paid for by the insurance as far as the mark and two fees of a maker', () => {
      openBarely(isIsolated);
      insure(INSURED);
      const [near, far] = [8_947, 8_946];
      buy({ owner: CAROL, price: near, quantity: 20 });
      buy({ owner: CAROL, price: far, quantity: 30 });
      floor.index(MARK, MARKET);
      expect(floor.trades()).toEqual([`${near}x20#${floor.lastOrderId() - 1}`]);
      // The rest at the mark, of which nobody on the other side pays a part.
      expect(deleveraged()).toEqual([[MARK, 30]]);
      expect(floor.future(ALICE)).toEqual([0n, 0n, 0n]);
      const [lost, fee] = [20n * 105_300n + 30n * 105_000n, 8_947n];
      expect(insured()).toBe(INSURED + 5n * USD - lost - fee);
    });

    it('is no gain for who bids far below the mark', () => {
      openBarely(isIsolated);
      insure(INSURED);
      expect(buy({ owner: BOB, price: 7_500, reduceOnly: true })).toBe('OK');
      floor.index(MARK, MARKET);
      expect([floor.trades(), deleveraged()]).toEqual([[], [[MARK, LOTS]]]);
      expect(insured()).toBe(INSURED + 5n * USD - 50n * 105_000n);
    });

    it('is closed between bankruptcy and mark where the insurance has less', () => {
      openBarely(isIsolated);
      insure(100_000n);
      floor.index(MARK, MARKET);
      const [[price = 0] = []] = deleveraged();
      expect([price > MARK, price < 9_000]).toEqual([true, true]);
      expect(insured()).toBeGreaterThanOrEqual(0n);
      expect(insured()).toBeLessThan(100_000n);
    });
  });

  it('takes nothing of the insurance for a worse price than the mark', () => {
    openBarely(true);
    insure(100n * USD);
    buy({ owner: BOB, price: 8_000, reduceOnly: true });
    floor.index(DUE, MARKET);
    expect(floor.trades()).toEqual([]);
    expect(insured()).toBe(100n * USD);
  });

  it('of a short is paid for as far upwards', () => {
    leverage(BOB, true);
    sell({ owner: BOB });
    buy({});
    insure(100n * USD);
    sell({ owner: CAROL, price: 11_055, quantity: 20 });
    sell({ owner: CAROL, price: 11_054, quantity: 20 });
    const near = floor.lastOrderId();
    floor.index(11_050, MARKET);
    expect(floor.trades()).toEqual([`11054x20#${near}`]);
  });

  it('takes what the insurance has to find a buyer, and no more, in a journal of older rules', () => {
    floor.exchange.rules = INSURED_TO_MARK - 1;
    openBarely(true);
    insure(100_000n);
    buy({ owner: CAROL, price: 8_990, quantity: 20 });
    const dear = floor.lastOrderId();
    buy({ owner: CAROL, price: 8_900, quantity: 30 });
    floor.index(DUE, MARKET);
    expect(floor.trades()).toEqual([`8990x20#${dear}`]);
    expect(insured()).toBeGreaterThanOrEqual(0n);
    expect(insured()).toBeLessThan(100_000n);
    expect(floor.position(BOB, MARKET)?.position?.lots).toBe(20);
  });
});
