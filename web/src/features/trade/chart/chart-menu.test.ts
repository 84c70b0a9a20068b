import { afterEach, expect, test, vi } from 'vitest';
import { useShownSide } from '../ticket/shown-side.ts';
import { NEW_TICKET } from '../ticket/ticket.ts';
import { useTicket } from '../ticket/use-ticket.ts';
import { pointInPane, prefill, priceOf, tradesAt } from './chart-menu.ts';

const PANE = { left: 100, top: 50, width: 600, height: 300 };
const AXIS_PX = 60;

afterEach(() => vi.unstubAllGlobals());

test('a point counts from the corner of the pane, its axis included; past its edges there is none', () => {
  expect(pointInPane(PANE, AXIS_PX, { x: 100, y: 50 })).toEqual({ x: 0, y: 0 });
  expect(pointInPane(PANE, AXIS_PX, { x: 759, y: 349 })).toEqual({ x: 659, y: 299 });
  expect(pointInPane(PANE, AXIS_PX, { x: 760, y: 60 })).toBeUndefined();
  expect(pointInPane(PANE, AXIS_PX, { x: 99, y: 60 })).toBeUndefined();
  expect(pointInPane(PANE, AXIS_PX, { x: 110, y: 49 })).toBeUndefined();
  expect(pointInPane(PANE, AXIS_PX, { x: 110, y: 350 })).toBeUndefined();
});

test('a height of the chart is a price in whole ticks, and none below the first', () => {
  expect(priceOf(92_098.849, 1)).toBe('92098.8');
  expect(priceOf(0.000012346, 8)).toBe('0.00001235');
  expect(priceOf(0.04, 1)).toBeUndefined();
  expect(priceOf(-3, 1)).toBeUndefined();
  expect(priceOf(Number.NaN, 1)).toBeUndefined();
  expect(priceOf(undefined, 1)).toBeUndefined();
});

test('below the market one buys by limit and sells by stop, above it the other way round', () => {
  expect(tradesAt('99', '100')).toEqual([
    { side: 'BUY', type: 'limit' },
    { side: 'SELL', type: 'stop_market' },
  ]);
  expect(tradesAt('100', '100').map(({ side }) => side)).toEqual(['BUY', 'SELL']);
  expect(tradesAt('100.1', '100').map(({ side }) => side)).toEqual(['SELL', 'BUY']);
});

test('a price fills the order form and opens its sheet where the form is not on the screen', () => {
  vi.stubGlobal('document', { querySelector: () => null });
  useTicket.setState({ ticket: NEW_TICKET });
  prefill({ side: 'SELL', type: 'limit' }, '101.5');
  const { ticket } = useTicket.getState();
  expect(ticket).toMatchObject({ type: 'limit', SELL: { price: '101.5', isPriceChosen: true }, BUY: { price: '' } });
  expect(useShownSide.getState()).toMatchObject({ side: 'SELL', opened: true });
  prefill({ side: 'BUY', type: 'stop_market' }, '103');
  expect(useTicket.getState().ticket).toMatchObject({ type: 'stop_market', BUY: { stop: '103', amount: '' } });
});
