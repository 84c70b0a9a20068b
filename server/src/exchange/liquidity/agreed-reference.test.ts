import { describe, expect, it } from 'vitest';
import { agreedPrice, createAgreedReference } from './agreed-reference.ts';

describe('a reference beside further feeds', () => {
  it('is believed alone, and beside one that says the same', () => {
    expect(agreedPrice(1_000, [1_000])).toBe(1_000);
    expect(agreedPrice(1_000, [1_000, 1_010])).toBe(1_000);
    expect(agreedPrice(1_010, [1_000, 1_010])).toBe(1_010);
  });

  it('is not known where one other contradicts it: nothing says which is right', () => {
    expect(agreedPrice(1_000, [1_000, 1_011])).toBeUndefined();
    expect(agreedPrice(700, [1_000, 700])).toBeUndefined();
  });

  it('is the median of three and more, which one that lies does not leave', () => {
    expect(agreedPrice(700, [700, 1_001, 1_000])).toBe(1_000);
    expect(agreedPrice(5_000, [1_001, 1_000, 5_000])).toBe(1_001);
    expect(agreedPrice(1_000, [1_000, 1_001, 700, 1_003])).toBe(1_000.5);
  });

  it('is not known while it says nothing itself', () => {
    const silent = {
      start: async () => undefined,
      price: () => undefined,
      momentum: () => 0,
      close: async () => undefined,
    };
    const said = { price: () => 1_000 };
    expect(createAgreedReference(silent, [silent, said, said]).price(0)).toBeUndefined();
    const speaking = { ...silent, price: () => 900 };
    expect(createAgreedReference(speaking, [speaking, said, said]).price(0)).toBe(1_000);
  });
});
