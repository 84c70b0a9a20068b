/** What keys and the command palette do on the terminal. */
import { msg } from '../../../lib/i18n.ts';
import { useShell } from '../../../lib/shell-store.ts';
import { useChartMenu } from '../chart/chart-menu.ts';
import { useChartStore } from '../chart/chart-store.ts';
import { TIMEFRAMES } from '../chart/timeframes.ts';
import { useTimeframe } from '../chart/use-timeframe.ts';
import { useDialogs } from '../dialogs.ts';
import { useLayout } from '../layout/panel-layouts.ts';
import { goToAmount } from '../ticket/shown-side.ts';
import { ORDER_TYPES } from '../ticket/summary-lines.ts';
import type { OrderType } from '../ticket/ticket.ts';
import { useTicket } from '../ticket/use-ticket.ts';

export interface Command {
  readonly id: string;
  readonly label: string;
  /** As Mantine reads it, such as `shift+C`; undefined where only the palette has it. */
  readonly keys: string | undefined;
  /** Only with an account. */
  readonly own?: true;
  run(): void;
}

const chooseType = (type: OrderType) => () => useTicket.getState().dispatch({ kind: 'type', type });
const show = (name: Parameters<ReturnType<typeof useDialogs.getState>['show']>[0]) => () =>
  useDialogs.getState().show(name);

const TIMEFRAME_LABELS = [
  msg('Chart in 1min candles'),
  msg('Chart in 5min candles'),
  msg('Chart in 1hr candles'),
  msg('Chart in 4hr candles'),
  msg('Chart in 1D candles'),
] as const;

const KEYED_TYPES: Partial<Readonly<Record<OrderType, Pick<Command, 'label' | 'keys'>>>> = {
  market: { label: msg('Market order'), keys: 'M' },
  limit: { label: msg('Limit order'), keys: 'L' },
  stop_limit: { label: msg('Stop limit order'), keys: 'T' },
  oco: { label: msg('OCO order'), keys: 'O' },
};

/** Types without a key are found by name. */
const typeCommands: readonly Command[] = ORDER_TYPES.map(({ value, label }) => ({
  ...{ id: `type-${value}`, label, keys: undefined, ...KEYED_TYPES[value] },
  run: chooseType(value),
}));

export const COMMANDS: readonly Command[] = [
  { id: 'buy', label: msg('Buy: go to the amount'), keys: 'B', run: () => goToAmount('BUY') },
  { id: 'sell', label: msg('Sell: go to the amount'), keys: 'S', run: () => goToAmount('SELL') },
  ...typeCommands,
  { id: 'cancel-all', label: msg('Cancel all orders'), keys: 'shift+C', own: true, run: show('cancel-all') },
  { id: 'pairs', label: msg('Choose a pair'), keys: 'P', run: show('pairs') },
  {
    id: 'chart-menu',
    label: msg('Trade at a price of the chart'),
    keys: 'C',
    // A menu that opens while the key is still on its way closes by that same key.
    run: () => void setTimeout(() => useChartMenu.getState().open('keyboard')),
  },
  { id: 'alerts', label: msg('Price alerts'), keys: 'A', own: true, run: show('alerts') },
  {
    id: 'transfer',
    label: msg('Transfer between your wallets'),
    keys: undefined,
    own: true,
    run: () => useShell.getState().openTransfer({}),
  },
  {
    id: 'draw',
    label: msg('Drawing tools'),
    keys: 'D',
    run: () => useChartStore.getState().setShowTools(!useChartStore.getState().showTools),
  },
  ...TIMEFRAMES.map((timeframe, index) => ({
    id: `timeframe-${timeframe.id}`,
    label: TIMEFRAME_LABELS[index] ?? timeframe.id,
    keys: String(index + 1),
    run: () => useTimeframe.getState().choose(timeframe),
  })),
  { id: 'layout', label: msg('Move and resize panels'), keys: undefined, run: () => useLayout.getState().edit(true) },
  { id: 'keys', label: msg('Keys'), keys: 'shift+?', run: show('keys') },
];
