import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAST_PANE_PX, paneHeights } from './pane-heights.ts';

test('the price keeps half of the height, whatever is added, and no pane is too low to be read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_200 }), fc.integer({ min: 0, max: 27 }), (height, wanted) => {
      const { shown, paneHeightPx } = paneHeights(height, wanted);
      expect(shown).toBeLessThanOrEqual(wanted);
      expect(shown * (paneHeightPx + 1)).toBeLessThanOrEqual(Math.max(0, (height - 26) / 2));
      if (shown > 0) expect(paneHeightPx).toBeGreaterThanOrEqual(LEAST_PANE_PX);
    }),
  );
});

test('a single pane has its usual height, and three share the lower half of a low chart', () => {
  expect(paneHeights(400, 1)).toMatchObject({ shown: 1, paneHeightPx: 100 });
  expect(paneHeights(340, 3)).toMatchObject({ shown: 3, paneHeightPx: 51 });
  expect(paneHeights(340, 5).shown).toBe(3);
});

test('panes with text of twice the size are twice as high, and fewer of them have room', () => {
  expect(paneHeights(800, 1, 2)).toMatchObject({ paneHeightPx: 200, leastPanePx: 2 * LEAST_PANE_PX });
  expect(paneHeights(340, 3, 2).shown).toBe(1);
});
