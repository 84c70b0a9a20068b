/** What stands in the book on both sides of the middle, as a picture with a pointer. Loaded when it is asked for. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { type PointerEvent, useState } from 'react';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatDecimal, withPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { Segments } from '../../../ui/panel.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';
import { axisMarks, type DepthCurve, type DepthPoint, depthAt, depthCurve } from './depth-curve.ts';
import classes from './order-book.module.css';

const WIDTH = 1_000;
const HEIGHT = 600;
/** Of the height, for the deepest sum. */
const FILLED = 0.92;
const MOST_MARKS = { prices: 3, sums: 4 };
const RANGES = [0.1, 0.5, 1, 5] as const;

/** From the left and from the top, 0 to 1. */
const acrossOf = (ticks: number, curve: DepthCurve) => (ticks - curve.from) / (curve.to - curve.from);
const heightOf = (lots: number, curve: DepthCurve) => 1 - (lots / curve.deepest) * FILLED;
const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** A staircase from the middle outwards, closed at the floor. */
function area(points: readonly DepthPoint[], curve: DepthCurve, edge: number): string {
  const x = (ticks: number) => (acrossOf(ticks, curve) * WIDTH).toFixed(1);
  const y = (lots: number) => (heightOf(lots, curve) * HEIGHT).toFixed(1);
  const [first] = points;
  if (!first) return '';
  const steps = points.map(({ ticks, lots }) => `H${x(ticks)}V${y(lots)}`).join('');
  return `M${x(first.ticks)} ${HEIGHT}${steps}H${x(edge)}V${HEIGHT}Z`;
}

export default function DepthChart({ pair }: { readonly pair: CoinPair }) {
  const book = useBook(pair);
  const [range, setRange] = useState<(typeof RANGES)[number]>(0.5);
  const [at, setAt] = useState<number>();
  if (!book) return <Loading />;
  const curve = depthCurve(book, range);
  if (!curve) return <Empty title={t('The book is empty.')} />;
  const pointed = at === undefined ? undefined : depthAt(curve, curve.from + at * (curve.to - curve.from));
  const follow = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt((clientX - left) / width);
  };
  return (
    <div className={classes.depth}>
      <DepthLegend pair={pair} curve={curve} pointed={pointed} />
      <div className={classes.depthPlot}>
        <svg
          className={classes.depthCanvas}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('Depth of {{pair}}', { pair: pair.pair_name })}
          onPointerMove={follow}
          onPointerLeave={() => setAt(undefined)}
        >
          <path
            d={area(curve.bids, curve, curve.from)}
            fill="var(--up-soft)"
            stroke="var(--up)"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={area(curve.asks, curve, curve.to)}
            fill="var(--down-soft)"
            stroke="var(--down)"
            vectorEffect="non-scaling-stroke"
          />
          {at !== undefined && pointed && (
            <path
              d={`M${at * WIDTH} 0V${HEIGHT}M0 ${heightOf(pointed.lots, curve) * HEIGHT}H${WIDTH}`}
              stroke="var(--text-3)"
              strokeDasharray="4 4"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        <SumAxis pair={pair} curve={curve} pointed={pointed} />
      </div>
      <PriceAxis
        pair={pair}
        curve={curve}
        pointed={at === undefined ? undefined : curve.from + at * (curve.to - curve.from)}
      />
      <div className={classes.depthRange}>
        <Segments
          label={t('Range')}
          value={String(range)}
          options={RANGES.map((entry) => ({ value: String(entry), label: withPercent(`±${entry}`) }))}
          onChange={(next) => setRange(RANGES.find((entry) => String(entry) === next) ?? range)}
        />
      </div>
    </div>
  );
}

interface AxisProps {
  readonly pair: CoinPair;
  readonly curve: DepthCurve;
}

/** Three digits at least, and no more than the room has. */
const sumText = (lots: number, { quantity_scale: scale }: CoinPair) =>
  formatCompact(toText({ units: BigInt(Math.round(lots)), scale }));

function SumAxis({ pair, curve, pointed }: AxisProps & { readonly pointed: DepthPoint | undefined }) {
  const marks = axisMarks(0, curve.deepest, MOST_MARKS.sums).filter((lots) => lots > 0);
  return (
    <div className={classes.sumAxis} aria-hidden>
      {marks.map((lots) => (
        <span key={lots} style={{ top: percent(heightOf(lots, curve)) }}>
          {sumText(lots, pair)}
        </span>
      ))}
      {pointed && (
        <span data-pointed className={classes.pointed} style={{ top: percent(heightOf(pointed.lots, curve)) }}>
          {sumText(pointed.lots, pair)}
        </span>
      )}
    </div>
  );
}

/** A price at the edge stays readable. */
const withinEdges = (share: number) => `clamp(2rem, ${percent(share)}, calc(100% - 2rem))`;

function PriceAxis({ pair, curve, pointed }: AxisProps & { readonly pointed: number | undefined }) {
  const scale = pair.price_scale;
  const text = (ticks: number) => formatDecimal({ units: BigInt(Math.round(ticks)), scale }, scale);
  const marks = axisMarks(curve.from, curve.to, MOST_MARKS.prices);
  return (
    <div className={classes.priceAxis} aria-hidden>
      {marks.map((ticks) => (
        <span key={ticks} style={{ left: withinEdges(acrossOf(ticks, curve)) }}>
          {text(ticks)}
        </span>
      ))}
      {pointed !== undefined && (
        <span data-pointed className={classes.pointed} style={{ left: withinEdges(acrossOf(pointed, curve)) }}>
          {text(pointed)}
        </span>
      )}
    </div>
  );
}

interface DepthLegendProps {
  readonly pair: CoinPair;
  readonly curve: DepthCurve;
  readonly pointed: DepthPoint | undefined;
}

function DepthLegend({ pair, curve, pointed }: DepthLegendProps) {
  const price = (ticks: number) =>
    formatDecimal({ units: BigInt(Math.round(ticks)), scale: pair.price_scale }, pair.price_scale);
  const size = (lots: number) => formatDecimal({ units: BigInt(lots), scale: pair.quantity_scale }, 3);
  if (pointed) {
    const values = { amount: `${size(pointed.lots)} ${pair.coin}`, price: price(pointed.ticks) };
    return <div className={classes.depthLegend}>{t('{{amount}} up to {{price}}', values)}</div>;
  }
  return (
    <div className={classes.depthLegend}>
      <span className={classes.bid}>
        {t('Bids')} {size(curve.bids.at(-1)?.lots ?? 0)}
      </span>
      <span>{price(curve.middle)}</span>
      <span className={classes.ask}>
        {t('Asks')} {size(curve.asks.at(-1)?.lots ?? 0)}
      </span>
    </div>
  );
}
