import { expect, test } from 'vitest';
import { mergeTrades, type PublicTrade } from './use-recent-trades.ts';

function trade(tradeId: string, ts: string): PublicTrade {
  return { tradeId, ts, px: '1', sz: '1', side: 'buy' };
}

test('newest first, each trade once, at most a hundred', () => {
  const known = Array.from({ length: 100 }, (_, index) => trade(String(100 - index), String(1_000 - index)));
  const merged = mergeTrades([trade('101', '1001'), trade('100', '1000')], known);
  expect(merged).toHaveLength(100);
  expect(merged.slice(0, 2).map((entry) => entry.tradeId)).toEqual(['101', '100']);
});
