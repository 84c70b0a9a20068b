/**
 * Between two pushes the browser values positions by itself: what it shows then must be what the server says when it is asked, whatever
 * was opened, reduced, reversed or liquidated before, in either mode, and with funding that is owed.
 */
import { describe, expect, it } from 'vitest';
import { known, liveFigures, sumsOf } from '../../../../web/src/lib/futures/figures.ts';
import { marketTerms, unitsOf } from '../../../../web/src/lib/futures/terms.ts';
import { FuturesFloor, knownOf, MARKETS, OWNERS, type Shown } from '../../../test/futures-floor.ts';
import { signedRatio } from './describe.ts';

/** What the browser makes of what it was pushed last. */
function live(floor: FuturesFloor, { positions, account }: Shown): Shown {
  const all = positions.map((shown) => {
    const market = MARKETS.find(({ symbol }) => symbol === shown.coin_pair.pair_name)!;
    const { pair, settings } = knownOf(market);
    return known(shown, marketTerms(pair, settings), floor.mark(market));
  });
  return liveFigures(all, account);
}

/** The figures that are exact, and returns, which the server cuts at four decimals and the browser rounds at six. */
function comparable({ positions, account }: Shown) {
  return {
    exact: [account, ...positions.map(({ rate_of_return: _, bankruptcy_price: __, ...rest }) => rest)],
    returns: positions.map((one) => Number(one.rate_of_return)),
  };
}

/** All but what follows the mark: a push would have come with a change of any of it. */
const pushed = ({ positions, account: { balance, order_margin } }: Shown) =>
  JSON.stringify([
    balance,
    order_margin,
    ...positions.map(({ id, quantity, cost, leverage, funding_owed }) => [id, quantity, cost, leverage, funding_owed]),
  ]);

describe('what the browser shows of positions at a new mark', () => {
  it('is what the server says of them', () => {
    const seen = { compared: 0, owing: 0, isolated: 0, hedged: 0 };
    const compare = (shown: Shown, said: Shown, where: string) => {
      const [left, right] = [comparable(shown), comparable(said)];
      expect(left.exact, where).toEqual(right.exact);
      left.returns.forEach((rate, at) => {
        expect(Math.abs(rate - right.returns[at]!), where).toBeLessThanOrEqual(0.000_101);
      });
      const { income, owed } = sumsOf(shown.positions);
      expect(unitsOf(shown.account.equity), where).toBe(
        unitsOf(said.account.balance) + unitsOf(income) - unitsOf(owed),
      );
      seen.compared += 1;
      for (const { margin_mode: mode, position_side: leg, funding_owed: owed } of said.positions) {
        if (Number(owed) !== 0) seen.owing += 1;
        if (mode === 'isolated') seen.isolated += 1;
        if (leg !== undefined) seen.hedged += 1;
      }
    };
    for (let seed = 1; seed <= 40; seed += 1) {
      const floor = new FuturesFloor(seed);
      for (let step = 0; step < 60; step += 1) {
        floor.step();
        const before = OWNERS.map((owner) => floor.shown(owner));
        floor.moveIndexes(120);
        OWNERS.forEach((owner, index) => {
          const [was, is] = [before[index]!, floor.shown(owner)];
          if (pushed(was) === pushed(is)) compare(live(floor, was), is, `seed ${seed}, step ${step}, owner ${owner}`);
        });
      }
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(200);
  });

  it('has no sign where a loss is less than its last decimal', () => {
    expect([signedRatio(-9n, 100_000n), signedRatio(-10n, 100_000n), signedRatio(9n, 100_000n)]).toEqual([
      ...['0.0000', '-0.0001', '0.0000'],
    ]);
  });
});
