import { Random } from '@cambist/core/simulation/random.ts';
import { expect, it, test } from 'vitest';
import { type CoinCost, type CostBasis, costDigits, costOf, heldOf, unrealizedAt, worthAt } from './cost-basis.ts';
import { add, decimal, subtract, toText, ZERO } from './decimal.ts';

test.each([
  ['0.19980000', '10200.00000000', '52000.0', '189.600000000', '1.8588'],
  ['0.19980000', '10200.00000000', '51000', '-10.20000000', '-0.1000'],
  ['5.00000000', '0.00000000', '7', '35.00000000', undefined],
])('%s coins that cost %s gain at %s', (quantity, cost, price, gain, percent) => {
  const found = unrealizedAt({ quantity, cost }, decimal(quantity), price);
  expect(found && toText(found.gain)).toBe(gain);
  expect(found?.percent && toText(found.percent)).toBe(percent);
});

it('what is not known to have cost anything gains nothing that could be shown', () => {
  expect(unrealizedAt({ quantity: '5', cost: null }, decimal('5'), '7')).toBeUndefined();
});

test.each([
  ['51051.051051051051', 2],
  ['1.000000000000', 2],
  ['0.512345678901', 4],
  ['0.000023456789', 8],
  ['0.000000000001', 12],
])('a price of %s has %i decimals', (price, digits) => {
  expect(costDigits(price)).toBe(digits);
});

const basis = (coins: readonly Partial<CoinCost>[], isComplete = true): CostBasis => ({
  isComplete,
  of: (name) => coins.find((coin) => coin.name === name) as CoinCost | undefined,
});

it('value less cost is the gain in each row, at every price and whichever answer is older', () => {
  const random = new Random(11);
  for (let turn = 0; turn < 500; turn += 1) {
    const figure = (most: number) => `${random.between(0, most)}.${random.between(10_000_000, 99_999_999)}`;
    const cost = { name: 'BTC', quantity: figure(50), cost: figure(90_000) };
    // A trade is in one of both answers and not in the other.
    const held = heldOf(basis([cost]), 'BTC', decimal(figure(50)));
    const price = figure(60_000);
    const value = worthAt(held, price);
    const gain = unrealizedAt(cost, held, price)?.gain;
    expect(gain && toText(gain)).toBe(toText(subtract(value, decimal(cost.cost))));
  }
});

it('what is held is the balance while its cost is not known', () => {
  const amount = decimal('3');
  const cost = { name: 'BTC', quantity: '2', cost: '7' };
  expect(heldOf(basis([cost], false), 'BTC', amount)).toBe(amount);
  expect(heldOf(basis([{ ...cost, cost: null }]), 'BTC', amount)).toBe(amount);
  expect(heldOf(basis([{ ...cost, quantity: '0' }]), 'BTC', amount)).toBe(amount);
  expect(heldOf(basis([]), 'BTC', amount)).toBe(amount);
});

it('in a row of one wallet, value less the cost of what it holds is the gain, and the wallets together carry the whole cost', () => {
  const random = new Random(12);
  for (let turn = 0; turn < 500; turn += 1) {
    const units = (most: number) => BigInt(random.between(1, most));
    const wallets = [units(9_000_000), units(9_000_000), units(9_000_000)].map((held) => ({ units: held, scale: 8 }));
    const whole = wallets.reduce(add);
    const cost = { name: 'BTC', quantity: toText(whole), cost: toText({ units: units(90_000_000_000), scale: 8 }) };
    const price = toText({ units: units(60_000_000), scale: 2 });
    const parts = wallets.map((held) => costOf(cost, held) ?? ZERO);
    for (const [index, held] of wallets.entries()) {
      const gain = unrealizedAt(cost, held, price)?.gain;
      expect(gain && toText(gain)).toBe(toText(subtract(worthAt(held, price), parts[index] ?? ZERO)));
    }
    // Each part is rounded by half a unit at most.
    const { units: left } = subtract(parts.reduce(add), decimal(cost.cost));
    expect(left >= -1n && left <= 1n).toBe(true);
  }
});
