/** Own orders as lines that can be dragged, own fills as arrows. Loaded for who is signed in; draws on the chart alone. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import type { Chart, OverlayEvent } from 'klinecharts';
import { useEffect, useMemo } from 'react';
import { compare, decimal } from '../../../lib/decimal.ts';
import { openOrdersQuery, tradeHistoryQuery } from '../../../lib/queries/account.ts';
import { useAccountTab } from '../orders/account-tab.ts';
import { useAmend } from '../orders/use-amend.ts';
import { useTerminal } from '../terminal.ts';
import { token } from './chart-styles.ts';
import { dragChanges, fillMarks, type OrderLine, orderLines } from './order-marks.ts';
import { COUNTING_TAG, FILL_OVERLAY, type LineLook, ORDER_OVERLAY, TAG_OVERLAY } from './order-overlays.ts';

const ORDERS = 'own-orders';
const FILLS = 'own-fills';

function drawLine(chart: Chart, line: OrderLine, all: readonly OrderLine[], scale: number): void {
  const ids = { line: `order-${line.id}`, tag: `tag-${line.id}` };
  const color = token(line.buying ? '--up-fill' : '--down-fill');
  const shared = {
    groupId: ORDERS,
    lock: line.field === 'trailing',
    extendData: { ...line, all, color } satisfies LineLook,
    onPressedMoveEnd: ({ overlay }: OverlayEvent<unknown>) => {
      const value = overlay.points[0]?.value;
      if (value === undefined || line.field === 'trailing') return;
      const price = Math.max(0, value).toFixed(scale);
      // A click on the line is no wish.
      if (compare(decimal(price), decimal(line.price)) === 0) return;
      useAmend.getState().begin({ order: line.order, changes: dragChanges(line, price, scale), fromChart: true });
    },
  };
  /** Either can be taken, and the other one comes along. */
  const takingAlong =
    (id: string) =>
    ({ overlay }: OverlayEvent<unknown>) =>
      void chart.overrideOverlay({ id, points: overlay.points.map((point) => ({ ...point })) });
  const points = () => [{ value: Number(line.price) }];
  chart.createOverlay({
    ...shared,
    id: ids.line,
    name: ORDER_OVERLAY,
    zLevel: 5,
    points: points(),
    onPressedMoving: takingAlong(ids.tag),
  });
  chart.createOverlay({
    ...shared,
    id: ids.tag,
    name: TAG_OVERLAY,
    zLevel: 6,
    points: points(),
    onPressedMoving: takingAlong(ids.line),
    onClick: ({ figure }) => {
      if (figure?.key === COUNTING_TAG) useAccountTab.getState().reveal('open');
    },
  });
}

interface OwnOrdersProps {
  readonly chart: Chart;
  readonly pair: CoinPair;
  /** Length of a candle. */
  readonly candleMs: number;
}

export default function OwnOrders({ chart, pair, candleMs }: OwnOrdersProps): null {
  const { market } = useTerminal();
  const open = useQuery(openOrdersQuery(market)).data?.orders;
  const trades = useQuery(tradeHistoryQuery(market)).data?.trades;
  // A change that was given up puts the line back where it was.
  const amending = useAmend((store) => store.amendment);
  const { pair_name: symbol, price_scale: scale } = pair;
  const lines = useMemo(() => orderLines(open ?? [], symbol), [open, symbol]);
  const marks = useMemo(() => fillMarks(trades ?? [], symbol, candleMs), [trades, symbol, candleMs]);
  useEffect(() => {
    if (amending) return;
    for (const line of lines) drawLine(chart, line, lines, scale);
    return () => {
      chart.removeOverlay({ groupId: ORDERS });
    };
  }, [chart, amending, lines, scale]);
  useEffect(() => {
    for (const mark of marks) {
      chart.createOverlay({
        name: FILL_OVERLAY,
        groupId: FILLS,
        lock: true,
        points: [{ timestamp: mark.timestamp, value: mark.price }],
        extendData: { ...mark, color: token(mark.buying ? '--up' : '--down') },
      });
    }
    return () => {
      chart.removeOverlay({ groupId: FILLS });
    };
  }, [chart, marks]);
  return null;
}
