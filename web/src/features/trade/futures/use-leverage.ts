/** Leverage and margin mode of the person in a market. */
import { changeLeverage, type MarginMode } from '@cambist/contract/futures.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { settingsKey } from '../../../lib/futures/positions.ts';
import type { FuturesSettings } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { noticeError } from '../notices.ts';

interface Change {
  readonly leverage?: number;
  readonly margin_mode?: MarginMode;
}

export function useChangeLeverage(symbol: string, onDone?: () => void) {
  const queries = useQueryClient();
  const isHedged = () => queries.getQueryData<FuturesSettings>(settingsKey(symbol))?.position_mode === 'hedge';
  return useMutation({
    // One after the other: the last that was chosen is what counts.
    scope: { id: `leverage ${symbol}` },
    mutationFn: async (change: Change) => {
      if (!isHedged()) return call(changeLeverage, { body: { symbol, ...change } });
      // The form has one choice for both positions.
      await call(changeLeverage, { body: { symbol, ...change, position_side: 'short' } });
      return call(changeLeverage, { body: { symbol, ...change, position_side: 'long' } });
    },
    onSuccess: ({ message: _message, ...settings }) => {
      queries.setQueryData<FuturesSettings>(settingsKey(symbol), (now) => now && { ...now, ...settings });
      onDone?.();
    },
    onError: (error) => {
      // Of two positions the first may have changed.
      void queries.invalidateQueries({ queryKey: settingsKey(symbol) });
      noticeError(titleOf(error, t('Not changed')), messageOf(error));
    },
  });
}
