/** Where the own position was opened and where it is liquidated, as lines of the chart. */
import { useEffect } from 'react';
import { useFutures } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import { token } from '../chart/chart-styles.ts';
import { LEVEL_OVERLAY } from '../chart/level-overlay.ts';
import type { ChartLinesProps } from '../terminal.ts';

const POSITION = 'own-position';

export default function PositionLines({ chart, pair }: ChartLinesProps): null {
  const { live } = useFutures();
  const own = live?.positions.filter(({ coin_pair: { pair_name: name } }) => name === pair.pair_name) ?? [];
  const levels = own.map(({ side, opening_price, estimated_force_parity: end }) => [side, opening_price, end]);
  // As text, so that a new list of the same prices draws nothing again.
  const text = JSON.stringify(levels);
  useEffect(() => {
    const draw = (value: string | null | undefined, label: string, color: string) => {
      if (!value) return;
      chart.createOverlay({
        name: LEVEL_OVERLAY,
        groupId: POSITION,
        lock: true,
        points: [{ value: Number(value) }],
        extendData: { label, color },
      });
    };
    for (const [side, entry, end] of JSON.parse(text) as [string, string, string | null][]) {
      draw(entry, side === 'long' ? t('Long entry') : t('Short entry'), token('--accent-fill'));
      draw(end, t('Liquidation'), token('--down-fill'));
    }
    return () => {
      chart.removeOverlay({ groupId: POSITION });
    };
  }, [chart, text]);
  return null;
}
