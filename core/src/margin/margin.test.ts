/** Margin against worked examples, and against the same said naively. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deleveragingRank } from './deleveraging.ts';
import { fundingOwed, fundingRate, nextFundingIndex, premium } from './funding.ts';
import { indexPrice, markPrice } from './mark-price.ts';
import {
  closingFee,
  type Direction,
  highestTicks,
  initialMargin,
  LONG,
  maintenanceMargin,
  notionalOf,
  type PerpetualTerms,
  perpetualProblems,
  requirement,
  SHORT,
  tierOf,
} from './perpetual.ts';
import { averageEntry, increase, type Position, reduce, unrealised } from './position.ts';
import { bankruptcyPrice, isLiquidated, liquidationPrice, marginRatio, ruinPrice } from './thresholds.ts';

const USDT = 10n ** 8n;
const usdt = (amount: number) => BigInt(Math.round(amount * 1e8));
/** Ticks of 0.1 USDT, lots of 0.0001 BTC. */
const BTC: PerpetualTerms = {
  unitsPerTickLot: 1000n,
  takerPpm: 500,
  tiers: [
    { maximumNotional: 500_000n * USDT, maximumLeverage: 100, maintenancePpm: 4_000 },
    { maximumNotional: 2_000_000n * USDT, maximumLeverage: 50, maintenancePpm: 8_000 },
    { maximumNotional: 10_000_000n * USDT, maximumLeverage: 20, maintenancePpm: 20_000 },
  ],
};
const FREE: PerpetualTerms = { ...BTC, takerPpm: 0, tiers: [{ ...BTC.tiers[2]!, maintenancePpm: 5_000 }] };
const ONE = 10_000;
const opened = (direction: Direction, price: number, lots = ONE) =>
  increase(BTC, undefined, direction, price * 10, lots);

describe('terms of a perpetual', () => {
  it('are valid as they are, and name what is wrong', () => {
    expect(perpetualProblems(BTC)).toEqual([]);
    const [first, second] = BTC.tiers as [PerpetualTerms['tiers'][0], PerpetualTerms['tiers'][0]];
    const problems = (change: Partial<PerpetualTerms>) => perpetualProblems({ ...BTC, ...change }).join('; ');
    expect(problems({ tiers: [] })).toContain('there is no tier');
    expect(problems({ tiers: [second, first] })).toContain('tier 2: maximumNotional does not ascend');
    expect(problems({ tiers: [first, { ...second, maximumLeverage: 101 }] })).toContain('tier 2: maximumLeverage');
    expect(problems({ tiers: [first, { ...second, maintenancePpm: 3_999 }] })).toContain('tier 2: maintenancePpm');
    expect(problems({ tiers: [{ ...first, maintenancePpm: 9_500 }] })).toContain('not below the initial margin');
    expect(problems({ takerPpm: -1 })).toContain('takerPpm');
    expect(problems({ unitsPerTickLot: 0n })).toContain('unitsPerTickLot');
  });

  it('take a margin at opening that is rounded up, by the tier of the value', () => {
    expect(initialMargin(100n, 3)).toBe(34n);
    expect(tierOf(BTC, 500_000n * USDT)?.maximumLeverage).toBe(100);
    expect(tierOf(BTC, 500_000n * USDT + 1n)?.maximumLeverage).toBe(50);
    expect(tierOf(BTC, 10_000_001n * USDT)).toBeUndefined();
  });

  it('keep a maintenance that is what exchanges publish as rate and deduction', () => {
    // 1,000,000 at 0.8 % less a deduction of 500,000 × (0.8 % − 0.4 %).
    expect(maintenanceMargin(BTC, 1_000_000n * USDT)).toBe(6_000n * USDT);
    // 5,000,000 at 2 % less 2,000 + 2,000,000 × (2 % − 0.8 %).
    expect(maintenanceMargin(BTC, 5_000_000n * USDT)).toBe(74_000n * USDT);
    // Above the last tier: at its rate.
    expect(maintenanceMargin(BTC, 20_000_000n * USDT)).toBe(374_000n * USDT);
  });

  it('ask for no more as the value grows than it grows', () => {
    const values = fc.bigInt(1n, 20_000_000n * USDT);
    fc.assert(
      fc.property(values, fc.bigInt(0n, 1000n * USDT), (value, more) => {
        const grown = requirement(BTC, value + more) - requirement(BTC, value);
        expect(grown >= 0n && grown <= more).toBe(true);
        const both = maintenanceMargin(BTC, value) + closingFee(BTC, value);
        expect(both - requirement(BTC, value)).toBeLessThanOrEqual(1n);
      }),
    );
  });
});

describe('a position', () => {
  it('has an average price of all that it was opened for', () => {
    const position = increase(BTC, opened(LONG, 60_000), LONG, 630_000, ONE / 2);
    expect(position).toEqual({ direction: LONG, lots: 15_000, cost: usdt(91_500) });
    expect(averageEntry(BTC, position, 2)).toBe(61_000_000n);
    expect(unrealised(BTC, position, 640_000)).toBe(usdt(4_500));
    expect(unrealised(BTC, { ...position, direction: SHORT }, 640_000)).toBe(usdt(-4_500));
  });

  it('realises its part when it closes in part', () => {
    const { left, realised } = reduce(BTC, opened(SHORT, 60_000), 590_000, ONE / 4);
    expect(realised).toBe(usdt(250));
    expect(left).toEqual({ direction: SHORT, lots: 7_500, cost: usdt(45_000) });
    expect(reduce(BTC, left!, 610_000, 7_500)).toEqual({ left: undefined, realised: usdt(-750) });
  });

  it('realises over its life, to the unit, what its trades have brought, and never more before its end', () => {
    const trade = fc.record({
      isOpening: fc.boolean(),
      ticks: fc.integer({ min: 1, max: 1_000_000 }),
      lots: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(LONG, SHORT), fc.array(trade, { maxLength: 40 }), (direction, trades) => {
        const terms = { ...BTC, unitsPerTickLot: 1n };
        let position: Position | undefined;
        let [realised, cash] = [0n, 0n];
        const close = (ticks: number, lots: number) => {
          const before = unrealised(terms, position!, ticks);
          const part = reduce(terms, position!, ticks, lots);
          realised += part.realised;
          cash += BigInt(direction) * notionalOf(terms, ticks, lots);
          // What is realised and what is left are together what there was.
          expect(part.realised + (part.left ? unrealised(terms, part.left, ticks) : 0n)).toBe(before);
          // Its part, rounded down.
          expect(part.realised * BigInt(position!.lots) <= before * BigInt(lots)).toBe(true);
          position = part.left;
        };
        for (const { isOpening, ticks, lots } of trades) {
          if (isOpening || position === undefined) {
            position = increase(terms, position, direction, ticks, lots);
            cash -= BigInt(direction) * notionalOf(terms, ticks, lots);
          } else close(ticks, Math.min(lots, position.lots));
        }
        if (position !== undefined) close(500, position.lots);
        expect(realised).toBe(cash);
      }),
    );
  });
});

describe('the prices of a position', () => {
  it('are those of the formula that OKX publishes', () => {
    // (entry − margin) ÷ (1 − maintenance): (20,000 − 400) ÷ 0.995 = 19,698.49 for a long, 20,400 ÷ 1.005 = 20,298.50 for a short.
    expect(liquidationPrice(FREE, opened(LONG, 20_000), usdt(400))).toBe(196_984);
    expect(liquidationPrice(FREE, opened(SHORT, 20_000), usdt(400))).toBe(202_986);
    expect(bankruptcyPrice(FREE, opened(LONG, 20_000), usdt(400))).toBe(196_000);
    expect(bankruptcyPrice(FREE, opened(SHORT, 20_000), usdt(400))).toBe(204_000);
    // With the fee of closing: 19,600 ÷ (1 − 0.0005) = 19,609.80.
    expect(bankruptcyPrice(BTC, opened(LONG, 20_000), usdt(400))).toBe(196_099);
  });

  it('are none where what backs it is more than it can lose', () => {
    expect(liquidationPrice(BTC, opened(LONG, 20_000), usdt(20_001))).toBeUndefined();
    expect(bankruptcyPrice(BTC, opened(LONG, 20_000), usdt(20_001))).toBe(1);
    const short = opened(SHORT, 20_000);
    expect(liquidationPrice(BTC, short, 2n ** 62n)).toBeUndefined();
    expect(ruinPrice(BTC, opened(LONG, 20_000), usdt(20_001))).toBeUndefined();
    expect(ruinPrice(BTC, short, 2n ** 62n)).toBeUndefined();
    expect(ruinPrice(BTC, opened(LONG, 20_000), usdt(400))).toBe(196_099);
  });

  const position = fc.record({
    direction: fc.constantFrom<Direction>(LONG, SHORT),
    ticks: fc.integer({ min: 100, max: 900_000 }),
    lots: fc.integer({ min: 1, max: 200_000 }),
    leverage: fc.integer({ min: 1, max: 20 }),
  });

  it('are the first at which it is liquidated, and never before, with funding and fees in between', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: -2000, max: 2000 }), ({ direction, ticks, lots, leverage }, rate) => {
        const one = increase(BTC, undefined, direction, ticks, lots);
        const paid = fundingOwed(direction, lots, 0n, nextFundingIndex(BTC, 0n, BigInt(rate) * 1000n, ticks));
        const backing = initialMargin(one.cost, leverage) - paid - closingFee(BTC, one.cost);
        const price = liquidationPrice(BTC, one, backing);
        const highest = highestTicks(BTC, lots);
        const ends = (mark: number) => isLiquidated(BTC, one, backing, mark);
        if (price === undefined) {
          expect(ends(direction === LONG ? 1 : highest)).toBe(false);
          return;
        }
        expect(ends(price)).toBe(true);
        const [safer, worse] = [price + direction, price - direction];
        if (safer >= 1 && safer <= highest) expect(ends(safer)).toBe(false);
        if (worse >= 1 && worse <= highest) expect(ends(worse)).toBe(true);
      }),
    );
  });

  it('leave no debt at the bankruptcy price, and one beyond it; a liquidation comes before', () => {
    fc.assert(
      fc.property(position, ({ direction, ticks, lots, leverage }) => {
        const one = increase(BTC, undefined, direction, ticks, lots);
        const backing = initialMargin(one.cost, leverage);
        const bankrupt = bankruptcyPrice(BTC, one, backing);
        if (bankrupt === undefined) return;
        const left = (price: number) =>
          backing + reduce(BTC, one, price, lots).realised - closingFee(BTC, notionalOf(BTC, price, lots));
        expect(left(bankrupt)).toBeGreaterThanOrEqual(0n);
        const beyond = bankrupt - direction;
        if (beyond >= 1 && beyond <= highestTicks(BTC, lots)) expect(left(beyond)).toBeLessThan(0n);
        const liquidated = liquidationPrice(BTC, one, backing);
        if (liquidated !== undefined && direction === LONG) expect(liquidated).toBeGreaterThanOrEqual(bankrupt - 1);
        if (liquidated !== undefined && direction === SHORT) expect(liquidated).toBeLessThanOrEqual(bankrupt + 1);
      }),
    );
  });

  it('of two legs leave no debt behind both at the price of ruin, and one beyond it; a liquidation comes before', () => {
    const legs = fc.record({
      ...{ direction: fc.constantFrom<Direction>(LONG, SHORT), mark: fc.integer({ min: 1_000, max: 500_000 }) },
      ...{ lots: fc.integer({ min: 1, max: 50_000 }), opposite: fc.integer({ min: 1, max: 50_000 }) },
      backing: fc.bigInt(0n, 100_000n * USDT),
    });
    fc.assert(
      fc.property(legs, ({ direction, mark, lots, opposite, backing }) => {
        const one = increase(BTC, undefined, direction, mark, lots);
        const other = increase(BTC, undefined, direction === LONG ? SHORT : LONG, mark, opposite);
        const kept = requirement(BTC, notionalOf(BTC, mark, opposite));
        const ruined = ruinPrice(BTC, one, backing - kept, { position: other, mark });
        const left = (price: number) =>
          [one, other].reduce(
            (rest, leg) =>
              rest + reduce(BTC, leg, price, leg.lots).realised - closingFee(BTC, notionalOf(BTC, price, leg.lots)),
            backing,
          );
        const end = direction === LONG ? 1 : highestTicks(BTC, Math.max(lots, opposite));
        if (left(mark) < 0n) return;
        if (ruined === undefined) {
          expect(left(end)).toBeGreaterThanOrEqual(0n);
          return;
        }
        expect(left(ruined)).toBeGreaterThanOrEqual(0n);
        expect(left(ruined - direction)).toBeLessThan(0n);
        const liquidated = liquidationPrice(BTC, one, backing - kept, { position: other, mark });
        expect(liquidated).toBeDefined();
        expect((liquidated! - ruined) * direction).toBeGreaterThanOrEqual(-1);
      }),
    );
  });

  it('of a larger margin are further away', () => {
    fc.assert(
      fc.property(position, fc.bigInt(0n, 1000n * USDT), ({ direction, ticks, lots, leverage }, more) => {
        const one = increase(BTC, undefined, direction, ticks, lots);
        const backing = initialMargin(one.cost, leverage);
        const [near, far] = [liquidationPrice(BTC, one, backing), liquidationPrice(BTC, one, backing + more)];
        if (near === undefined) expect(far).toBeUndefined();
        else if (far !== undefined) expect((near - far) * direction).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('index and mark', () => {
  it('leave out what is stale, and say nothing where all is', () => {
    const sources = [100, 104, 1000].map((ticks, at) => ({ ticks, time: 1000 - at * 400 }));
    expect(indexPrice(sources, 1000, 1000)).toBe(104);
    expect(indexPrice(sources, 1000, 500)).toBe(102);
    expect(indexPrice(sources, 5000, 500)).toBeUndefined();
    expect(indexPrice([{ ticks: 0, time: 1000 }], 1000, 500)).toBeUndefined();
  });

  const calm = { index: 600_000, last: 600_000, ratePpb: 0n, left: { ms: 1, ofMs: 2 }, meanBasis: 0, clampPpm: 20_000 };

  it('follow neither one trade nor one side of the book', () => {
    expect(markPrice({ ...calm, last: 900_000 })).toBe(600_000);
    expect(markPrice({ ...calm, last: 900_000, meanBasis: 100_000 })).toBe(612_000);
    expect(markPrice({ ...calm, meanBasis: -100_000 })).toBe(600_000);
    expect(markPrice({ ...calm, last: 1, meanBasis: -100_000 })).toBe(588_000);
  });

  it('come to the index with the funding that is left', () => {
    const rate = { ...calm, ratePpb: 1_000_000n, last: 700_000, meanBasis: -5 };
    expect(markPrice({ ...rate, left: { ms: 8, ofMs: 8 } })).toBe(600_600);
    expect(markPrice({ ...rate, left: { ms: 4, ofMs: 8 } })).toBe(600_300);
    expect(markPrice({ ...rate, left: { ms: 0, ofMs: 8 } })).toBe(600_000);
  });

  it('stay within the clamp, whatever comes', () => {
    const ticks = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    const basis = fc.integer({ min: -(2 ** 31), max: 2 ** 31 });
    fc.assert(
      fc.property(
        ticks,
        ticks,
        fc.bigInt(-1_000_000_000n, 1_000_000_000n),
        basis,
        (index, last, ratePpb, meanBasis) => {
          const mark = markPrice({ ...calm, index, last, ratePpb, meanBasis });
          expect(Math.abs(mark - index)).toBeLessThanOrEqual(Math.floor((index * 20_000) / 1_000_000));
          expect(mark).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});

describe('funding', () => {
  const terms = {
    ...{ intervalMs: 28_800_000, impactValue: 1n },
    ...{ interestPpb: 100_000, dampPpb: 500_000, capPpb: 7_500_000 },
  };

  it('is interest where the market is at its index, and premium where it is far from it', () => {
    expect(premium(600_000, 599_990, 600_010)).toBe(0n);
    expect(premium(600_000, 600_600, 600_700)).toBe(1_000_000n);
    expect(premium(600_000, 599_000, 599_400)).toBe(-1_000_000n);
    expect(premium(600_000, undefined, undefined)).toBe(0n);
    expect(fundingRate(0n, terms)).toBe(100_000n);
    expect(fundingRate(100_000n, terms)).toBe(100_000n);
    expect(fundingRate(2_000_000n, terms)).toBe(1_500_000n);
    expect(fundingRate(-2_000_000n, terms)).toBe(-1_500_000n);
    expect(fundingRate(90_000_000n, terms)).toBe(7_500_000n);
    expect(fundingRate(-90_000_000n, terms)).toBe(-7_500_000n);
  });

  it('is paid by longs to shorts: 0.01 % of a bitcoin at 60,000', () => {
    const index = nextFundingIndex(BTC, 0n, 100_000n, 600_000);
    expect(fundingOwed(LONG, ONE, 0n, index)).toBe(usdt(6));
    expect(fundingOwed(SHORT, ONE, 0n, index)).toBe(usdt(-6));
  });

  it('never pays out more than comes in, however many settle and however often', () => {
    const rates = fc.array(fc.bigInt(-7_500_000n, 7_500_000n), { minLength: 1, maxLength: 20 });
    const owners = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rates, owners, fc.integer({ min: 1, max: 9999 }), (all, lots, mark) => {
        const small = { ...BTC, unitsPerTickLot: 1n };
        const path = [0n];
        for (const rate of all) path.push(nextFundingIndex(small, path.at(-1)!, rate, mark));
        const total = lots.reduce((sum, one) => sum + one, 0);
        // As many longs as shorts; some settle at each interval, the others once.
        const last = path.at(-1)!;
        const eachInterval = (one: number) => path.slice(1).map((to, at) => fundingOwed(LONG, one, path[at]!, to));
        const settlements = lots.flatMap((one, at) =>
          at % 2 === 0 ? eachInterval(one) : [fundingOwed(LONG, one, 0n, last)],
        );
        settlements.push(fundingOwed(SHORT, total, 0n, last));
        const toInsurance = settlements.reduce((sum, one) => sum + one, 0n);
        expect(toInsurance).toBeGreaterThanOrEqual(0n);
        expect(toInsurance).toBeLessThan(BigInt(settlements.length));
      }),
    );
  });
});

describe('auto-deleveraging', () => {
  it('comes first to who has won the most with the least', () => {
    const rank = (position: Position, backing: number) => deleveragingRank(BTC, position, usdt(backing), 660_000);
    const [won, more, lost] = [opened(LONG, 60_000), opened(LONG, 50_000), opened(LONG, 70_000)];
    expect(rank(won, 600)).toBeGreaterThan(rank(won, 6_000));
    expect(rank(more, 5_000)).toBeGreaterThan(rank(won, 6_000));
    expect(rank(won, 60_000)).toBeGreaterThan(rank(lost, 60_000));
    // Of two that have lost, the one with less leverage has more to lose.
    expect(rank(lost, 70_000)).toBeLessThan(rank(lost, 7_000));
    expect(rank({ ...won, direction: SHORT }, 10_000)).toBeLessThan(0n);
  });
});

it('a margin ratio never looks safer than it is', () => {
  expect([marginRatio(1n, 3n), marginRatio(999_999_999n, 1_000_000_000n)]).toEqual(['0.333334', '1.000000']);
  expect([marginRatio(0n, 0n), marginRatio(1n, 0n), marginRatio(3n, 2n)]).toEqual(['0.000000', '1.000000', '1.500000']);
});
