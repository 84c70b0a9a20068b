import { expect, test } from 'vitest';
import { COLUMNS, LEAST, narrowTicketQuery, type PanelPlace, PRESETS, STANDARD } from './panel-layouts.ts';

const arrangements = [STANDARD, ...PRESETS.flatMap(({ places }) => (places ? [places] : []))];

const overlap = (one: PanelPlace, other: PanelPlace) =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

test('every arrangement has each panel once, large enough to be used, on the grid and over no other', () => {
  for (const arrangement of arrangements) {
    expect(arrangement.wide.map(({ i }) => i).sort()).toEqual(Object.keys(LEAST).sort());
    expect(arrangement.medium.map(({ i }) => i).sort()).toEqual(['account', 'book', 'chart', 'tickets']);
    for (const places of [arrangement.wide, arrangement.medium]) {
      for (const place of places) {
        expect(place.w).toBeGreaterThanOrEqual(LEAST[place.i].w);
        expect(place.h).toBeGreaterThanOrEqual(LEAST[place.i].h);
        expect(place.x + place.w).toBeLessThanOrEqual(COLUMNS);
        expect(places.filter((other) => other !== place && overlap(place, other))).toEqual([]);
      }
    }
  }
});

test('an order form of five columns shows one side below 2496 px, and one of seventeen only below 735', () => {
  expect(narrowTicketQuery([{ i: 'tickets', x: 19, y: 0, w: 5, h: 16 }])).toBe('(width < 156em)');
  expect(narrowTicketQuery(STANDARD.medium)).toBe('(width < 45.88235294117647em)');
  expect(narrowTicketQuery(undefined)).toBe('(width < 0)');
});
