/** When a price is told, by the clock alone: the market maker and the exchange are what a test says they are. */
import { expect, it } from 'vitest';
import type { ExchangeView, Submission, Submitted } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import { BAND_PAUSE_MS, Teller } from './teller.ts';

const MARKET = 3;
const BAND = 0.1;
const SPREAD = 5;
const SECOND_MS = 1_000;

/** A market at 10,000 ticks with a band of a tenth, which takes what it is told unless it is away. */
function stage() {
  const told: { readonly price: number; readonly triggersNothing: boolean }[] = [];
  /** For the reference alone, with the second at which each was told. */
  const references: (readonly [price: number, second: number])[] = [];
  const state = { lastPrice: 10_000, quotedAround: 10_000, isAway: false, hasAsks: true, left: 0, now: 1_000_000 };
  const market = { spec: { id: MARKET, priceBandPpm: BAND * 1_000_000 }, dailyVolatility: 3 } as MarketInfo;
  const teller = new Teller({
    sender: {
      async submit(command: Submission): Promise<Submitted | undefined> {
        if (state.isAway || command.kind !== 'set-reference-price') return undefined;
        if (command.isReferenceOnly) {
          references.push([command.price, (state.now - 1_000_000) / SECOND_MS]);
          return { outcome: { ok: true } } as Submitted;
        }
        state.lastPrice = command.price;
        told.push({ price: command.price, triggersNothing: 'triggersNothing' in command });
        return { outcome: { ok: true } } as Submitted;
      },
    },
    view: { marketState: () => ({ lastPrice: state.lastPrice }) } as unknown as Pick<ExchangeView, 'marketState'>,
    maker: {
      best: () => ({
        bid: state.quotedAround - SPREAD,
        ask: state.hasAsks ? state.quotedAround + SPREAD : Number.POSITIVE_INFINITY,
      }),
      mayQuote: (_market, reference) => Math.abs(reference - state.lastPrice) <= BAND * state.lastPrice,
    },
    onBandLeft: () => {
      state.left += 1;
    },
  });
  /** So many seconds with a reference; undefined for none. Quotes follow where they may. */
  async function pass(seconds: number, reference: number | undefined): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      state.now += SECOND_MS;
      if (reference === undefined) teller.forget(MARKET);
      else {
        if (Math.abs(reference - state.lastPrice) <= BAND * state.lastPrice) state.quotedAround = reference;
        teller.tellWhenDue(market, reference, state.now);
      }
      await Promise.resolve();
      await Promise.resolve();
    }
  }
  return { told, references, state, pass };
}

const PAUSE_SECONDS = BAND_PAUSE_MS / SECOND_MS;

it('moves the band after five minutes beyond it, and then triggers', async () => {
  const { told, state, pass } = stage();
  await pass(1, 10_000);
  await pass(PAUSE_SECONDS, 8_000);
  expect(told).toEqual([{ price: 10_000, triggersNothing: false }]);
  await pass(3, 8_000);
  expect(told.slice(1)).toEqual([
    { price: 8_000, triggersNothing: true },
    { price: 8_000, triggersNothing: false },
  ]);
  expect(state.left).toBe(1);
});

it('begins the five minutes anew for a price that was gone meanwhile, as in a halt', async () => {
  const { told, pass } = stage();
  await pass(1, 10_000);
  await pass(10, 8_000);
  await pass(PAUSE_SECONDS, undefined);
  await pass(PAUSE_SECONDS, 8_000);
  expect(told).toHaveLength(1);
  await pass(3, 8_000);
  expect(told).toHaveLength(3);
});

it('begins them anew for a price that is far from the one that has waited', async () => {
  const { told, state, pass } = stage();
  await pass(1, 10_000);
  await pass(PAUSE_SECONDS - 1, 8_000);
  await pass(5, 800);
  expect(told).toHaveLength(1);
  await pass(PAUSE_SECONDS, 8_100);
  expect(told).toHaveLength(1);
  await pass(3, 8_100);
  expect(told.slice(1)).toEqual([
    { price: 8_100, triggersNothing: true },
    { price: 8_100, triggersNothing: false },
  ]);
  // It stayed beyond the band all the time.
  expect(state.left).toBe(1);
});

it('needs no further five minutes for a price that had them and was traded away from', async () => {
  const { told, state, pass } = stage();
  await pass(1, 10_000);
  await pass(PAUSE_SECONDS + 1, 8_000);
  expect(told).toHaveLength(2);
  // The lowest ask met an order of before, and the last price is that order's: the others are outside its band.
  state.hasAsks = false;
  await pass(1, 8_000);
  state.lastPrice = 9_500;
  await pass(1, 8_050);
  state.hasAsks = true;
  await pass(1, 8_050);
  expect(told.slice(2)).toEqual([
    { price: 8_050, triggersNothing: true },
    { price: 8_050, triggersNothing: false },
  ]);
  expect(state.left).toBe(1);
  // It is over then: what leaves the band later waits like the first.
  await pass(1, 9_000);
  await pass(PAUSE_SECONDS, 8_000);
  expect(told).toHaveLength(5);
  expect(state.left).toBe(2);
});

it('tells the reference while others trade: at once where it has moved by a thousandth, else before it is no longer fresh', async () => {
  const { told, references, state, pass } = stage();
  await pass(1, 10_000);
  state.hasAsks = false;
  await pass(11, 10_001);
  state.lastPrice = 10_020;
  await pass(3, 10_020);
  expect([told.length, references]).toEqual([
    1,
    [
      [10_001, 11],
      [10_020, 13],
    ],
  ]);
  // Beyond the band it waits like a last price.
  await pass(30, 8_000);
  expect(references).toHaveLength(2);
});

it('tells again what did not come through, so that what the band has passed is triggered', async () => {
  const { told, state, pass } = stage();
  await pass(1, 10_000);
  await pass(PAUSE_SECONDS + 1, 8_000);
  state.isAway = true;
  await pass(3, 8_000);
  state.isAway = false;
  await pass(2, 8_000);
  expect(told.slice(1)).toEqual([
    { price: 8_000, triggersNothing: true },
    { price: 8_000, triggersNothing: false },
  ]);
});
