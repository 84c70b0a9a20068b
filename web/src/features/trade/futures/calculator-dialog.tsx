/** Profit, target and liquidation price of a position that one thinks about; it places nothing. */
import { useState } from 'react';
import { divide } from '../../../lib/decimal.ts';
import { formatDecimal, formatPercent } from '../../../lib/format.ts';
import {
  type FuturesSettings,
  lotsOf,
  type MarketTerms,
  marketTerms,
  priceText,
  ticksOf,
  usdt,
} from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Segments } from '../../../ui/panel.tsx';
import type { MarketProps } from '../terminal.ts';
import type { SummaryLine } from '../ticket/summary-lines.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { type Outcome, outcomeOf, type Plan } from './calculator.ts';
import { Lines } from './close-dialog.tsx';
import classes from './futures.module.css';

interface CalculatorProps extends MarketProps {
  readonly settings: FuturesSettings;
  readonly onClose: () => void;
}

interface Entry {
  readonly side: 'long' | 'short';
  readonly leverage: string;
  readonly entry: string;
  readonly exit: string;
  readonly quantity: string;
  readonly target: string;
}

const DIGITS = 2;

/** Undefined while a figure is missing or cannot be. */
function planOf(market: MarketTerms, entered: Entry, highest: number): Plan | undefined {
  const [leverage, targetPercent] = [Number(entered.leverage), Number(entered.target || '0')];
  const [entry, exit] = [ticksOf(market, entered.entry), ticksOf(market, entered.exit)];
  const lots = lotsOf(market, entered.quantity);
  const isWhole = Number.isInteger(leverage) && leverage >= 1 && leverage <= highest && Number.isInteger(targetPercent);
  if (!isWhole || entry <= 0 || exit <= 0 || lots <= 0) return undefined;
  return { isLong: entered.side === 'long', leverage, entry, exit, lots, targetPercent };
}

function linesOf(market: MarketTerms, outcome: Outcome | undefined): SummaryLine[] {
  const money = (units: bigint | undefined) =>
    units === undefined ? '–' : `${formatDecimal(usdt(units), DIGITS)} USDT`;
  const price = (ticks: number | undefined) =>
    ticks === undefined ? '–' : formatDecimal(priceText(market, ticks), market.priceScale);
  const rate = outcome && divide(usdt(outcome.profit * 100n), usdt(outcome.margin), DIGITS, 'nearest');
  return [
    { title: t('Margin'), value: money(outcome?.margin) },
    { title: t('Income'), value: money(outcome?.profit) },
    { title: t('Rate of return'), value: rate ? formatPercent(rate) : '–' },
    { title: t('Fees of opening and closing'), value: money(outcome?.fees) },
    { title: t('Target price'), value: price(outcome?.target) },
    { title: t('Liquidation price'), value: price(outcome?.liquidation) },
  ];
}

export default function CalculatorDialog({ pair, settings, onClose }: CalculatorProps) {
  const [last] = useState(usePairFigures(pair).close);
  const [entered, setEntered] = useState<Entry>({
    ...{ side: 'long', leverage: String(settings.leverage), entry: last, exit: last, quantity: '', target: '25' },
  });
  const market = marketTerms(pair, settings);
  const highest = settings.maximum_leverage;
  const plan = planOf(market, entered, highest);
  const field = (name: Exclude<keyof Entry, 'side'>, label: string, scale: number, unit: string) => (
    <NumberField
      label={label}
      value={entered[name]}
      scale={scale}
      unit={unit}
      onChange={(value) => setEntered((now) => ({ ...now, [name]: value }))}
    />
  );
  return (
    <Dialog onClose={onClose} size={420} title={t('Calculator')}>
      <div className={ticketClasses.confirm}>
        <Segments<Entry['side']>
          label={t('Side')}
          value={entered.side}
          options={[
            { value: 'long', label: t('Long') },
            { value: 'short', label: t('Short') },
          ]}
          onChange={(side) => setEntered((now) => ({ ...now, side }))}
        />
        <div className={classes.plan}>
          {field('entry', t('Opening price'), pair.price_scale, 'USDT')}
          {field('exit', t('Closing price'), pair.price_scale, 'USDT')}
          {field('quantity', t('Amount'), pair.quantity_scale, pair.coin)}
          {field('leverage', t('Leverage'), 0, 'x')}
          {field('target', t('Target return'), 0, '%')}
        </div>
        <Lines lines={linesOf(market, plan && outcomeOf(market, plan))} />
      </div>
    </Dialog>
  );
}
