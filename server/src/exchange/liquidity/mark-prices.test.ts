import type { Command } from '@cambist/core/exchange/command.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { BTC_USDT, listing, TEST_MARKETS } from '@cambist/core/simulation/markets.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { createMarks } from './mark-prices.ts';

describe('mark prices', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are told about once a second, while something waits for them and when they have changed', async () => {
    const exchange = createExchange();
    for (const command of listing(TEST_MARKETS)) exchange.apply(0, command);
    const commands: Command[] = [];
    let price: number | undefined = 640_000.4;
    const marks = createMarks({
      exchange,
      sequencer: {
        submit: async (submission) => {
          commands.push(submission as Command);
          const outcome = exchange.apply(Date.now(), submission as Command);
          return { outcome, id: 0, batch: 1, time: 0, order: undefined, ended: 0 };
        },
      },
      priceOf: (market) => (market === BTC_USDT.id ? price : undefined),
      logger: createLogger('silent'),
      everyMs: 1_000,
    });
    marks.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(commands).toEqual([]);

    await marks.refresh(BTC_USDT.id);
    expect(commands).toEqual([{ kind: 'set-mark-price', market: BTC_USDT.id, price: 640_000, waitsWhileHalted: true }]);
    exchange.apply(1, issue('development-credit', 200, 1, 10n ** 9n));
    const waits = {
      owner: 200,
      market: BTC_USDT.id,
      side: 1,
      source: 'mark',
      timeInForce: 'GTC',
      quantity: 100,
    } as const;
    const legs = { takeProfit: undefined, stop: { trigger: 630_000, price: 0 }, trailing: undefined };
    const placing = {
      kind: 'place-conditional-order',
      orderId: 1,
      quoteTotal: 0n,
      selfTrade: 'CANCEL_NEWEST',
    } as const;
    expect(exchange.apply(2, { ...placing, ...waits, ...legs })).toEqual({ ok: true });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(commands).toHaveLength(1);

    price = 640_001;
    await vi.advanceTimersByTimeAsync(900);
    price = 640_002;
    await vi.advanceTimersByTimeAsync(200);
    expect(commands.at(-1)).toMatchObject({ price: 640_002 });
    expect(commands).toHaveLength(2);
    price = undefined;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(commands).toHaveLength(2);
    price = 630_000;
    exchange.apply(3, { kind: 'halt-market', market: BTC_USDT.id, halted: true });
    await vi.advanceTimersByTimeAsync(3_000);
    expect([commands.length, exchange.untriggeredOrderCount()]).toEqual([2, 1]);
    exchange.apply(4, { kind: 'halt-market', market: BTC_USDT.id, halted: false });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(exchange.untriggeredOrderCount()).toBe(0);
    price = 630_500;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(commands).toHaveLength(3);
    await marks.close();
  });
});
