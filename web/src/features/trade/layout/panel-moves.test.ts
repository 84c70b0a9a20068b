import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLUMNS, LEAST, type PanelId, type PanelPlace, STANDARD } from './panel-layouts.ts';
import { movedPanel, PANEL_MOVES } from './panel-moves.ts';

const at = (places: readonly PanelPlace[], id: PanelId) => places.find(({ i }) => i === id);
const overlap = (one: PanelPlace, other: PanelPlace) =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

test('a panel goes below the next one and back, and becomes wider and narrower', () => {
  const below = movedPanel(STANDARD.medium, 'chart', 'down');
  expect(at(below, 'tickets')?.y).toBe(0);
  expect(at(below, 'chart')?.y).toBe(at(below, 'tickets')?.h);
  expect(at(movedPanel(below, 'chart', 'up'), 'chart')?.y).toBe(0);
  const wide = movedPanel(STANDARD.medium, 'chart', 'wider');
  expect(at(wide, 'chart')?.w).toBe(18);
  expect(at(movedPanel(wide, 'chart', 'narrower'), 'chart')?.w).toBe(17);
});

test('at the right edge a panel becomes wider to the left, and at the ends it stays', () => {
  expect(at(movedPanel(STANDARD.wide, 'book', 'wider'), 'book')).toMatchObject({ x: 18, w: 6 });
  expect(movedPanel(STANDARD.wide, 'account', 'down')).toEqual(STANDARD.wide);
  expect(at(movedPanel(STANDARD.wide, 'markets', 'left'), 'markets')?.x).toBe(0);
});

test('whatever is pressed, each panel is on the grid, large enough and over no other', () => {
  const press = fc.tuple(fc.constantFrom(...(Object.keys(LEAST) as PanelId[])), fc.constantFrom(...PANEL_MOVES));
  fc.assert(
    fc.property(fc.array(press, { maxLength: 30 }), (presses) => {
      const places = presses.reduce((now, [id, move]) => movedPanel(now, id, move), STANDARD.wide);
      expect(places).toHaveLength(STANDARD.wide.length);
      for (const place of places) {
        expect(place.w).toBeGreaterThanOrEqual(LEAST[place.i].w);
        expect(place.h).toBeGreaterThanOrEqual(LEAST[place.i].h);
        expect(Math.min(place.x, place.y)).toBeGreaterThanOrEqual(0);
        expect(place.x + place.w).toBeLessThanOrEqual(COLUMNS);
        expect(places.filter((other) => other !== place && overlap(place, other))).toEqual([]);
      }
    }),
  );
});
