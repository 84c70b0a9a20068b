import type { FuturesPosition } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { describe, expect, it } from 'vitest';
import { toText } from '../../../lib/decimal.ts';
import { type FuturesSettings, marketTerms } from '../../../lib/futures/terms.ts';
import { sideText } from '../orders/side-text.ts';
import {
  type ExitEntry,
  exitOutcome,
  exitPrice,
  exitProblems,
  exitsBody,
  exitsOf,
  stopWarning,
} from './position-exits.ts';

const NAMES = { pair_name: 'BTC-USDT-SWAP', coin_pair_name: 'BTCUSDTSWAP' };
const MARKET = marketTerms(
  { ...NAMES, price_scale: 1, quantity_scale: 3 } as CoinPair,
  { taker_fee_percent: '0.0500', tiers: [] as FuturesSettings['tiers'] } as FuturesSettings,
);

/** 0.05 of a coin at 1,000 USDT, x10. */
const LONG = {
  ...{ id: '1', coin_pair: NAMES, side: 'long', quantity: '0.050', leverage: 10, cost: '50' },
  ...{ opening_price: '1000.0', mark_price: '1010.0', estimated_force_parity: '905.0' },
} as FuturesPosition;
const SHORT = { ...LONG, side: 'short', mark_price: '990.0', estimated_force_parity: '1095.0' } as FuturesPosition;

const entry = (takeProfitExit: string, stopExit: string, change: Partial<ExitEntry> = {}): ExitEntry => ({
  ...{ takeProfitExit, stopExit, source: 'mark', quantity: undefined },
  ...change,
});

describe('the exits of a position', () => {
  it('bring what the engine would book at the trigger, in USDT and in per cent of the margin', () => {
    const brings = (position: FuturesPosition, price: string, quantity?: string) => {
      const outcome = exitOutcome(position, MARKET, price, quantity);
      return outcome && [Number(toText(outcome.profit)), Number(toText(outcome.percent))];
    };
    expect(brings(LONG, '1100')).toEqual([5, 100]);
    expect(brings(LONG, '950')).toEqual([-2.5, -50]);
    expect(brings(LONG, '950', '0.01')).toEqual([-0.5, -50]);
    expect(brings(SHORT, '950')).toEqual([2.5, 50]);
    expect([brings(LONG, ''), brings(LONG, '0'), brings(LONG, '950', '0'), brings(LONG, '950', '0.051')]).toEqual(
      new Array(4).fill(undefined),
    );
  });

  it('are estimated at what the book would give them, as far from the trigger as a close now is from the watched price', () => {
    const book = { bids: [[9_999, 50] as const], asks: [[10_098, 50] as const] };
    const priceOf = (position: FuturesPosition, wanted: Partial<ExitEntry>, known: typeof book | undefined = book) =>
      exitPrice('stopExit', entry('', '909', wanted), position, { last: '1020', index: undefined }, known);
    // Bids 1 % below the mark; asks 2 % above it.
    expect(priceOf(LONG, {})).toBe('899.9');
    expect(priceOf(SHORT, {})).toBe('927.2');
    expect(priceOf(LONG, { source: 'last' })).toBe('891.0');
    const atTrigger = [
      priceOf(LONG, { source: 'index' }),
      exitPrice('stopExit', entry('', '909'), LONG, { last: '1020', index: undefined }, undefined),
    ];
    expect(atTrigger).toEqual(['909', '909']);
  });

  it('are on the sides of the price that triggers them, and close no more than is open', () => {
    const problems = (wanted: ExitEntry, position = LONG, index = '1030') =>
      exitProblems(wanted, position, { last: '1020', index: index || undefined, most: '0.05 BTC' });
    expect(problems(entry('1011', '1009'))).toEqual({});
    expect(problems(entry('989', '991'), SHORT)).toEqual({});
    expect(problems(entry('', ''))).toEqual({ takeProfitExit: 'Enter a take profit, a stop loss, or both' });
    expect(problems(entry('1010', '1010'))).toEqual({
      takeProfitExit: 'Must be above the mark price',
      stopExit: 'Must be below the mark price',
    });
    expect(problems(entry('1015', '1015', { source: 'last' }))).toEqual({
      takeProfitExit: 'Must be above the last price',
    });
    expect(problems(entry('1030', '1030', { source: 'index' }))).toEqual({
      takeProfitExit: 'Must be above the index price',
      stopExit: 'Must be below the index price',
    });
    expect(problems(entry('1031', '1029', { source: 'index' }))).toEqual({});
    expect(problems(entry('', '1029', { source: 'index' }), LONG, '')).toEqual({
      stopExit: 'The index price is not known at the moment',
    });
    expect(problems(entry('0', ''))).toEqual({ takeProfitExit: 'Price is required' });
    expect(problems(entry('', '900', { quantity: '' }))).toEqual({ quantity: 'Amount is required' });
    expect(problems(entry('', '900', { quantity: '0.051' }))).toEqual({ quantity: 'Only 0.05 BTC can be closed' });
  });

  it('warn of a stop that the liquidation comes before', () => {
    const said = 'The position would be liquidated first, at 905.0';
    expect([stopWarning(entry('', '905'), LONG), stopWarning(entry('', '900'), LONG)]).toEqual([said, said]);
    expect(stopWarning(entry('', '905.1'), LONG)).toBeUndefined();
    expect(stopWarning(entry('', '1100'), SHORT)).toBe('The position would be liquidated first, at 1,095.0');
    expect(stopWarning(entry('', '900'), { ...LONG, estimated_force_parity: null })).toBeUndefined();
    expect(stopWarning(entry('1100', ''), LONG)).toBeUndefined();
  });

  it('go out as one order that only reduces, of all that is open unless an amount is given', () => {
    const common = { symbol: 'BTC-USDT-SWAP', trigger_by: 'mark', reduce_only: true };
    expect(exitsBody(entry('1100', '950'), LONG)).toEqual({
      ...common,
      ...{ side: 'SELL', kind: 'oco', take_profit_price: '1100', stop_price: '950' },
    });
    expect(exitsBody(entry('900.50', '', { quantity: '0.010', source: 'last' }), SHORT)).toEqual({
      ...{ ...common, side: 'BUY', kind: 'take_profit_market', trigger_by: 'last' },
      ...{ take_profit_price: '900.5', quantity: '0.01' },
    });
    expect(exitsBody(entry('', '950'), LONG)).toMatchObject({ kind: 'stop_market', stop_price: '950' });
  });

  it('are found among open orders by what they close, which has a name of its own', () => {
    const exit = {
      ...{ id: '9', coin_pair: NAMES, delegate_type: 'SELL', reduce_only: true, number_of_order: '0.000' },
      ...{ remaining: '0.000', total: '0', final_price: '0', trigger: { kind: 'oco', status: 'untriggered' } },
    } as Order;
    expect(sideText(exit)).toBe('Close all of BTC-USDT-SWAP');
    const others = [
      { ...exit, number_of_order: '0.010', remaining: '0.010' },
      { ...exit, delegate_type: 'BUY' },
      { ...exit, coin_pair: { ...NAMES, pair_name: 'ETH-USDT-SWAP' } },
      { ...exit, trigger: { ...exit.trigger, kind: 'trailing_stop' } },
      { ...exit, trigger: { ...exit.trigger, status: 'triggered' } },
    ] as Order[];
    const ofEntry = { ...others[0], trigger: { ...exit.trigger, entry_id: '3' } } as Order;
    expect(exitsOf([...others, exit, ofEntry], LONG)).toEqual([exit, ofEntry]);
  });
});
