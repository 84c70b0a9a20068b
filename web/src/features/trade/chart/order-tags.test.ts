import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeTags, TAG_PX } from './order-tags.ts';

const lines = (...heights: number[]) => heights.map((y, index) => ({ id: String(index), y }));

test('a tag stands at its line, and two that would overlap move apart', () => {
  expect(placeTags(lines(50, 200), 300)).toEqual([
    { ids: ['0'], y: 50 },
    { ids: ['1'], y: 200 },
  ]);
  expect(placeTags(lines(100, 104), 300).map(({ y }) => y)).toEqual([92, 112]);
});

test('five orders at one height are one tag that stands for all of them', () => {
  expect(placeTags(lines(100, 101, 103, 106, 110, 250), 300)).toEqual([
    { ids: ['0', '1', '2', '3', '4'], y: 104 },
    { ids: ['5'], y: 250 },
  ]);
});

test('lines out of view have no tag, and one at the edge keeps its tag inside', () => {
  expect(placeTags(lines(-5, 1, 299, 320), 300)).toEqual([
    { ids: ['1'], y: 10 },
    { ids: ['2'], y: 290 },
  ]);
  expect(placeTags(lines(1, 55), 300, 40).map(({ y }) => y)).toEqual([50, 70]);
});

test('however many lines there are, every one in view has a tag and no tag lies over another or past an edge', () => {
  const heights = fc.array(fc.integer({ min: -50, max: 450 }), { maxLength: 120 });
  fc.assert(
    fc.property(heights, fc.integer({ min: 80, max: 400 }), fc.constantFrom(0, 40), (at, heightPx, topPx) => {
      const tags = placeTags(lines(...at), heightPx, topPx);
      const inView = at.filter((y) => y >= 0 && y <= heightPx).length;
      expect(new Set(tags.flatMap(({ ids }) => ids)).size).toBe(inView);
      expect(tags.flatMap(({ ids }) => ids)).toHaveLength(inView);
      for (const [index, { y }] of tags.entries()) {
        expect(y).toBeGreaterThanOrEqual(topPx + TAG_PX / 2 - 1e-6);
        expect(y).toBeLessThanOrEqual(heightPx - TAG_PX / 2 + 1e-6);
        const before = tags[index - 1];
        if (before) expect(y - before.y).toBeGreaterThanOrEqual(TAG_PX - 1e-6);
      }
    }),
  );
});
