/** What a coin has cost and gained, in a table or on a card. The texts are the caller's. */
import type { ReactNode } from 'react';
import { type CoinCost, type CostBasis, costDigits, unrealizedAt, worthAt } from '../lib/cost-basis.ts';
import { type Decimal, decimal, rescale, toText } from '../lib/decimal.ts';
import { formatPercent, formatSigned } from '../lib/format.ts';
import { useTicker } from '../lib/market/tickers.ts';
import classes from './cost-figures.module.css';
import { Amount } from './figures.tsx';

const MONEY_DIGITS = 2;

/** Why a dash stands in place of a figure. */
export interface Reasons {
  readonly reading: string;
  readonly unpriced: string;
}

interface WorthProps {
  /** USDT. */
  readonly value: string;
  readonly price: string | null;
  readonly reason: string;
}

interface CostProps {
  readonly coin: string;
  readonly costs: CostBasis;
  readonly reasons: Reasons;
}

/** Nothing to say, or something that is not known: then the dash says why. */
function Dash({ reason }: { readonly reason?: string | undefined }) {
  return (
    <span className={classes.dash} title={reason}>
      –{reason && <span className="visually-hidden"> {reason}</span>}
    </span>
  );
}

/** Money with its sign and colour; what rounds to nothing has neither. */
function Gain({ value, below }: { readonly value: Decimal; readonly below?: ReactNode }) {
  const { units } = rescale(value, MONEY_DIGITS, 'nearest');
  const tone = units > 0n ? classes.up : units < 0n ? classes.down : '';
  return (
    <span className={`${classes.gain} ${tone}`}>
      {formatSigned(value, MONEY_DIGITS)}
      {below}
    </span>
  );
}

/** The figure of a coin, or why there is none; money itself has neither cost nor gain. */
function figure({ coin, costs, reasons }: CostProps, read: (cost: CoinCost) => ReactNode | undefined): ReactNode {
  if (coin === 'USDT') return <Dash />;
  if (!costs.isComplete) return <Dash reason={reasons.reading} />;
  const cost = costs.of(coin);
  return cost === undefined ? <Dash /> : (read(cost) ?? <Dash reason={reasons.unpriced} />);
}

/** What was worth so much when it was read; without a price the dash says that nothing is known of it. */
export function Worth({ value, price, reason }: WorthProps) {
  return price === null ? <Dash reason={reason} /> : <Amount value={value} digits={MONEY_DIGITS} />;
}

/** The newest price of a coin; undefined where none is known. Every figure of a row takes this one, so that they add up. */
function usePriceNow(coin: string, price: string | null | undefined): string | undefined {
  const ticker = useTicker(`${coin}-USDT`);
  return coin === 'USDT' ? (price ?? undefined) : ticker?.last || (price ?? undefined);
}

interface LiveWorthProps {
  readonly coin: string;
  readonly amount: Decimal;
  /** The price of one coin, shown until its ticker arrives; null where no market prices the coin. */
  readonly price: string | null;
  readonly reason: string;
}

/** What coins are worth at the price of the moment, the same one that their gain is counted at. */
export function LiveWorth({ coin, amount, price, reason }: LiveWorthProps) {
  const last = usePriceNow(coin, price);
  return last === undefined ? (
    <Dash reason={reason} />
  ) : (
    <Amount value={toText(worthAt(amount, last))} digits={MONEY_DIGITS} />
  );
}

const isHeld = ({ quantity }: CoinCost) => decimal(quantity).units > 0n;

export function AverageCost(props: CostProps) {
  return figure(props, (cost) => {
    if (!isHeld(cost)) return <Dash />;
    const { average_cost: average } = cost;
    return average === null ? undefined : <Amount value={average} digits={costDigits(average)} />;
  });
}

interface GainProps {
  /** The amount whose value the row shows, so that value less cost is the gain. */
  readonly amount: Decimal;
  /** The price of one coin until its ticker is here; null where no market prices it. */
  readonly price: string | null | undefined;
}

export function UnrealizedGain({ amount, price, ...props }: CostProps & GainProps) {
  return figure(props, (cost) => {
    if (!isHeld(cost) || amount.units <= 0n) return <Dash />;
    return cost.cost === null ? undefined : <LiveGain cost={cost} amount={amount} price={price} />;
  });
}

/** Follows the price by itself, so that a tick draws one figure and not the table. */
function LiveGain({ cost, amount, price }: GainProps & { readonly cost: CoinCost }) {
  const last = usePriceNow(cost.name, price);
  const found = last === undefined ? undefined : unrealizedAt(cost, amount, last);
  if (found === undefined) return <Dash />;
  const { gain, percent } = found;
  return <Gain value={gain} below={percent && <span className={classes.percent}>{formatPercent(percent)}</span>} />;
}

export function RealizedGain({ today, ...props }: CostProps & { readonly today: string }) {
  return figure(props, ({ realized, realized_today: ofToday }) => {
    if (realized === null) return undefined;
    const isMoving = ofToday !== null && decimal(ofToday).units !== 0n;
    const below = isMoving && (
      <span className={classes.percent}>
        <span className={classes.label}>{today}</span> <Gain value={decimal(ofToday)} />
      </span>
    );
    return <Gain value={decimal(realized)} below={below} />;
  });
}
