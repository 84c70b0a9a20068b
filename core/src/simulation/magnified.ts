/** The same traders with figures near the ends of their ranges, where what is stored would wrap. */
import type { MarketSpec } from '../money/market.ts';
import type { Step } from './workload.ts';

export interface Magnification {
  /** Of quantities. */
  readonly lots: number;
  /** Of prices. */
  readonly ticks: number;
  /** Of amounts of money. */
  readonly money: bigint;
}

const LOTS = new Set(['quantity', 'visible', 'minimumLots', 'maximumLots']);
const TICKS = new Set(['price', 'worstPrice', 'trigger', 'callbackTicks', 'activation']);

/** The figures of a command or a market, by their names; what is text, an id or a rate stays. */
function scaled(value: unknown, name: string, by: Magnification): unknown {
  if (typeof value === 'bigint') return value * by.money;
  if (typeof value === 'number') return value * (LOTS.has(name) ? by.lots : TICKS.has(name) ? by.ticks : 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => scaled(one, name, by));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scaled(one, key, by)]));
}

/** @param finer decimals that prices and quantities have in addition, so that one tick × lot is less money */
export const magnifiedMarket = (market: MarketSpec, by: Magnification, finer: { tick: number; lot: number }) => ({
  ...(scaled(market, '', by) as MarketSpec),
  tickScale: market.tickScale + finer.tick,
  lotScale: market.lotScale + finer.lot,
});

export const magnifiedStep = ({ time, command }: Step, by: Magnification): Step => ({
  time,
  command: scaled(command, '', by) as Step['command'],
});
