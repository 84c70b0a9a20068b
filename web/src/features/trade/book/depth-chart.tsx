/** What stands in the book on both sides of the middle, as a picture with a pointer. Loaded when it is asked for. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { type PointerEvent, useState } from 'react';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/panel.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';
import { type DepthCurve, type DepthPoint, depthAt, depthCurve } from './depth-curve.ts';
import classes from './order-book.module.css';
import { useBook } from './use-book.ts';

const WIDTH = 1_000;
const HEIGHT = 600;
const RANGES = [0.1, 0.5, 1, 5] as const;

/** A staircase from the middle outwards, closed at the floor. */
function area(points: readonly DepthPoint[], curve: DepthCurve, edge: number): string {
  const x = (ticks: number) => (((ticks - curve.from) / (curve.to - curve.from)) * WIDTH).toFixed(1);
  const y = (lots: number) => (HEIGHT - (lots / curve.deepest) * HEIGHT * 0.92).toFixed(1);
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
        {at !== undefined && (
          <path
            d={`M${at * WIDTH} 0V${HEIGHT}`}
            stroke="var(--text-3)"
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <div className={classes.depthRange}>
        <Segments
          label={t('Range')}
          value={String(range)}
          options={RANGES.map((entry) => ({ value: String(entry), label: `±${entry}%` }))}
          onChange={(next) => setRange(RANGES.find((entry) => String(entry) === next) ?? range)}
        />
      </div>
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
