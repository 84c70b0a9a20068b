/** What a pointer over the chart brings: its legend, a plus at the axis, and the menu of a price. Loaded when the chart is pointed at. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Menu } from '@mantine/core';
import type { Chart } from 'klinecharts';
import { Fragment, type RefObject, useEffect, useRef, useState } from 'react';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { figuresOf } from '../../../lib/market/pairs.ts';
import { currentTicker } from '../../../lib/market/tickers.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { IconBell } from '../../../ui/first-icons.ts';
import { FocusReturn } from '../../../ui/focus-return.tsx';
import { IconCopy } from '../../../ui/icons.ts';
import { useDialogs } from '../dialogs.ts';
import { IconPlus } from '../icons.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import classes from './chart-hover.module.css';
import { ChartLegend } from './chart-legend.tsx';
import { type ClientPoint, pointInPane, prefill, priceOf, type TradeAt, tradesAt, useChartMenu } from './chart-menu.ts';
import { isOverFigure } from './use-pointed-at.ts';

const PANE = 'candle_pane';

interface ChartHoverProps {
  readonly chart: Chart;
  readonly pair: CoinPair;
}

interface PointedPrice {
  /** Decimal text. */
  readonly price: string;
  /** From the corner of the chart. */
  readonly x: number;
  readonly y: number;
}

const lastPrice = (pair: CoinPair) => figuresOf(pair, currentTicker(pair.pair_name)).close;

/** The price at a point of the window, where that is in the pane of prices. */
function pointedPrice(chart: Chart, scale: number, point: ClientPoint): PointedPrice | undefined {
  const box = chart.getDom(PANE, 'main')?.getBoundingClientRect();
  const around = chart.getDom()?.getBoundingClientRect();
  const inside = box && pointInPane(box, chart.getSize(PANE, 'yAxis')?.width ?? 0, point);
  if (!inside || !around) return undefined;
  const [found] = chart.convertFromPixel([inside], { paneId: PANE }) as { value?: number }[];
  const price = priceOf(found?.value, scale);
  return price === undefined ? undefined : { price, x: point.x - around.left, y: point.y - around.top };
}

/** For the keyboard: in the middle of the pane, at the height of the last price. */
function atLastPrice(chart: Chart, pair: CoinPair): PointedPrice {
  const price = lastPrice(pair);
  const { width = 0, top = 0 } = chart.getSize(PANE, 'main') ?? {};
  const [{ y = 0 } = {}] = chart.convertToPixel([{ value: Number(price) }], { paneId: PANE }) as { y?: number }[];
  return { price, x: width / 2, y: top + y };
}

export default function ChartHover({ chart, pair }: ChartHoverProps) {
  const over = useRef<ClientPoint>(undefined);
  const { at, close } = useChartMenu();
  return (
    <>
      <ChartLegend chart={chart} pair={pair} />
      <AxisPlus chart={chart} pair={pair} over={over} />
      {at && (
        <Fragment key={JSON.stringify(at)}>
          <FocusReturn onEscape={close} />
          <OpenedMenu chart={chart} pair={pair} point={at === 'keyboard' ? over.current : at} />
        </Fragment>
      )}
    </>
  );
}

/** The price is found once, when the menu opens. */
function OpenedMenu({ chart, pair, point }: ChartHoverProps & { readonly point: ClientPoint | undefined }) {
  const [pointed] = useState(() => (point ? pointedPrice(chart, pair.price_scale, point) : atLastPrice(chart, pair)));
  return <PriceMenu chart={chart} pair={pair} pointed={pointed} />;
}

interface AxisPlusProps extends ChartHoverProps {
  /** Where the pointer is over the pane of prices. */
  readonly over: RefObject<ClientPoint | undefined>;
}

/** Follows the pointer past React: it moves with every frame of it. */
function AxisPlus({ chart, pair, over }: AxisPlusProps) {
  const button = useRef<HTMLButtonElement>(null);
  const scale = pair.price_scale;
  useEffect(() => {
    const plus = button.current;
    const around = plus?.parentElement;
    if (!plus || !around) return;
    const leaving = new AbortController();
    const hide = () => {
      plus.style.visibility = 'hidden';
      over.current = undefined;
    };
    const follow = (event: PointerEvent) => {
      const isOnPlus = event.target === plus || plus.contains(event.target as Node);
      const isBusy = event.buttons !== 0 || (!isOnPlus && isOverFigure(chart.getDom(PANE, 'main')));
      const point = { x: event.clientX, y: event.clientY };
      const pointed = event.pointerType === 'mouse' && !isBusy && pointedPrice(chart, scale, point);
      if (!pointed) return hide();
      const { width = 0, top = 0 } = chart.getSize(PANE, 'main') ?? {};
      plus.style.visibility = 'visible';
      plus.style.transform = `translate(${width - plus.offsetWidth}px, ${pointed.y - plus.offsetHeight / 2}px)`;
      // Over the plus the chart has no pointer; its crosshair stays on the price all the same.
      if (isOnPlus) chart.executeAction('onCrosshairChange', { paneId: PANE, x: pointed.x, y: pointed.y - top });
      over.current = point;
    };
    around.addEventListener('pointermove', follow, { signal: leaving.signal });
    around.addEventListener('pointerleave', hide, { signal: leaving.signal });
    return () => leaving.abort();
  }, [chart, scale, over]);
  return (
    <button
      ref={button}
      type="button"
      tabIndex={-1}
      className={classes.plus}
      aria-label={t('Trade at a price of the chart')}
      onClick={({ clientX, clientY }) => useChartMenu.getState().open({ x: clientX, y: clientY })}
    >
      <IconPlus size={14} aria-hidden />
    </button>
  );
}

interface PriceMenuProps extends ChartHoverProps {
  readonly pointed: PointedPrice | undefined;
}

/** Stays where it was opened while pointer and market move. */
function PriceMenu({ chart, pair, pointed }: PriceMenuProps) {
  const close = useChartMenu((store) => store.close);
  useEffect(() => {
    if (!pointed) close();
  }, [pointed, close]);
  if (!pointed) return null;
  const { width = 0 } = chart.getSize() ?? {};
  return (
    <Menu
      opened
      onClose={close}
      position={pointed.x < width / 2 ? 'right-start' : 'left-start'}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.target}
          aria-label={t('Trade at a price of the chart')}
          style={{ left: pointed.x, top: pointed.y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <PriceChoices pair={pair} price={pointed.price} />
      </Menu.Dropdown>
    </Menu>
  );
}

function tradeText({ side, type }: TradeAt, price: string): string {
  if (type === 'limit')
    return side === 'BUY' ? t('Buy limit at {{price}}', { price }) : t('Sell limit at {{price}}', { price });
  return side === 'BUY' ? t('Buy stop at {{price}}', { price }) : t('Sell stop at {{price}}', { price });
}

async function copy(price: string, shown: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(price);
    noticeSuccess(t('Copied'), shown);
  } catch {
    noticeError(t('Not copied'), t('The browser does not allow copying here.'));
  }
}

function PriceChoices({ pair, price }: { readonly pair: CoinPair; readonly price: string }) {
  const signedIn = useSignedIn();
  const shown = formatDecimal(price, pair.price_scale);
  // The menu is gone first: what is chosen may move the focus.
  const then = (act: () => void) => () => void setTimeout(act);
  return (
    <>
      {tradesAt(price, lastPrice(pair)).map((trade) => (
        <Menu.Item
          key={trade.type}
          leftSection={<span className={trade.side === 'BUY' ? classes.buy : classes.sell} aria-hidden />}
          onClick={then(() => prefill(trade, price))}
        >
          {tradeText(trade, shown)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      {signedIn && (
        <Menu.Item
          leftSection={<IconBell size={14} aria-hidden />}
          onClick={then(() => useDialogs.getState().showAlertAt(price))}
        >
          {t('Set a price alert at {{price}}', { price: shown })}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={() => void copy(price, shown)}>
        {t('Copy {{price}}', { price: shown })}
      </Menu.Item>
    </>
  );
}
