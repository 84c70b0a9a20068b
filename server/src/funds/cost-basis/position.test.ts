import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acquire, NO_POSITION, type Position, sell, takeOut } from './position.ts';

const DAY = 20_000;

describe('what coins have cost', () => {
  it('is averaged over all purchases, and a sale gains what it brings above its share', () => {
    const bought = acquire(acquire(NO_POSITION, 100n, 1_000n), 50n, 800n);
    expect(bought).toMatchObject({ quantity: 150n, cost: 1_800n });
    // A third of the coins takes a third of the cost.
    expect(sell(bought, 50n, 900n, DAY)).toMatchObject({
      ...{ quantity: 100n, cost: 1_200n, realized: 300n },
      ...{ day: DAY, realizedOfDay: 300n, unpricedSaleDay: -1 },
    });
  });

  it('is cut downwards in a sale of a part, and who sells the rest takes all that is left', () => {
    const bought = acquire(NO_POSITION, 3n, 10n);
    const first = sell(bought, 1n, 4n, DAY);
    expect(first).toMatchObject({ cost: 7n, realized: 1n });
    expect(sell(first, 2n, 8n, DAY)).toMatchObject({ quantity: 0n, cost: 0n, realized: 2n });
  });

  it('counts the day of a sale apart', () => {
    const bought = acquire(NO_POSITION, 10n, 100n);
    const today = sell(sell(bought, 1n, 15n, DAY), 1n, 12n, DAY);
    expect(today).toMatchObject({ realized: 7n, realizedOfDay: 7n });
    expect(sell(today, 1n, 7n, DAY + 1)).toMatchObject({ realized: 4n, day: DAY + 1, realizedOfDay: -3n });
  });

  it('is not known from the moment when coins come without a price until all of them are gone', () => {
    const mixed = acquire(acquire(NO_POSITION, 5n, 50n), 5n, undefined);
    const sold = sell(mixed, 4n, 80n, DAY);
    expect(sold).toMatchObject({ quantity: 6n, isUnpriced: true, realized: 0n, unpricedSaleDay: DAY });
    const again = acquire(takeOut(sold, 6n), 2n, 30n);
    expect(sell(again, 2n, 32n, DAY + 1)).toMatchObject({ isUnpriced: false, realized: 2n, unpricedSaleDay: DAY });
  });

  it('gains nothing from coins that it has never seen come', () => {
    expect(sell(acquire(NO_POSITION, 1n, 10n), 2n, 40n, DAY)).toMatchObject({
      ...{ quantity: 0n, cost: 0n, realized: 0n, unpricedSaleDay: DAY },
    });
  });
});

describe('for any purchases, sales and withdrawals', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const money = fc.bigInt({ min: 0n, max: 10n ** 18n });
  const acts = fc.array(
    fc.record({ act: fc.constantFrom('buy', 'sell', 'take'), units, money, share: fc.integer({ min: 1, max: 1_000 }) }),
    { maxLength: 60 },
  );

  it('quantity and cost are never negative, and realized + cost left = received − spent, with what left at cost', () => {
    fc.assert(
      fc.property(acts, (all) => {
        let position: Position = NO_POSITION;
        let [spent, received, left, held] = [0n, 0n, 0n, 0n];
        for (const { act, units: amount, money: paid, share } of all) {
          const some = (held * BigInt(share)) / 1_000n;
          if (act === 'buy') {
            position = acquire(position, amount, paid);
            [spent, held] = [spent + paid, held + amount];
          } else if (some > 0n) {
            const before = position;
            position = act === 'sell' ? sell(position, some, paid, DAY) : takeOut(position, some);
            held -= some;
            if (act === 'sell') received += paid;
            else left += before.cost - position.cost;
          }
          expect(position.quantity).toBe(held);
          expect(position.cost >= 0n).toBe(true);
          expect(position.realized).toBe(received - (spent - position.cost - left));
          if (held === 0n) expect(position.cost).toBe(0n);
        }
      }),
    );
  });

  it('a sale leaves the average as it was, but for less than a unit of money', () => {
    fc.assert(
      fc.property(units, money, fc.integer({ min: 1, max: 999 }), (amount, paid, share) => {
        const before = acquire(NO_POSITION, amount, paid);
        const after = sell(before, (amount * BigInt(share)) / 1_000n, 0n, DAY);
        // cost ÷ quantity on both sides, multiplied out.
        const difference = after.cost * before.quantity - before.cost * after.quantity;
        expect(difference >= 0n && difference < before.quantity).toBe(true);
      }),
    );
  });
});
