/** Profit, target and liquidation price of a position that one thinks about; it places nothing. */
import { useState } from 'react';
import { divide } from '../../../lib/decimal.ts';
import { formatDecimal, formatPercent } from '../../../lib/format.ts';
import { type FuturesSettings, type MarketTerms, marketTerms, priceText, usdt } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Segments } from '../../../ui/panel.tsx';
import type { MarketProps } from '../terminal.ts';
import type { SummaryLine } from '../ticket/summary-lines.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { type CalculatorEntry, type Outcome, outcomeOf, planOf } from './calculator.ts';
import { Lines } from './close-dialog.tsx';
import classes from './futures.module.css';

interface CalculatorProps extends MarketProps {
  readonly settings: FuturesSettings;
  readonly onClose: () => void;
}

const DIGITS = 2;

function linesOf(market: MarketTerms, outcome: Outcome | undefined): SummaryLine[] {
  const money = (units: bigint | undefined) =>
    units === undefined ? '–' : `${formatDecimal(usdt(units), DIGITS)} USDT`;
  const price = (ticks: number | undefined, without: string) =>
    ticks === undefined ? (outcome ? without : '–') : formatDecimal(priceText(market, ticks), market.priceScale);
  const rate = outcome && divide(usdt(outcome.profit * 100n), usdt(outcome.margin), DIGITS, 'nearest');
  return [
    { title: t('Margin'), value: money(outcome?.margin) },
    { title: t('Income'), value: money(outcome?.profit) },
    { title: t('Rate of return'), value: rate ? formatPercent(rate) : '–' },
    { title: t('Fees of opening and closing'), value: money(outcome?.fees) },
    { title: t('Target price'), value: price(outcome?.target, t('No price reaches it')) },
    { title: t('Liquidation price'), value: price(outcome?.liquidation, t('No liquidation')) },
  ];
}

export default function CalculatorDialog({ pair, settings, onClose }: CalculatorProps) {
  const [last] = useState(usePairFigures(pair).close);
  const [entered, setEntered] = useState<CalculatorEntry>({
    ...{ side: 'long', leverage: String(settings.leverage), entry: last, exit: last, quantity: '', target: '25' },
  });
  const market = marketTerms(pair, settings);
  const plan = planOf(market, entered, settings.maximum_leverage);
  const missing = typeof plan === 'string' ? plan : undefined;
  const outcome = typeof plan === 'string' ? undefined : outcomeOf(market, plan);
  const field = (name: Exclude<keyof CalculatorEntry, 'side'>, label: string, scale: number, unit: string) => (
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
        <Segments<CalculatorEntry['side']>
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
        <p className={classes.missing} role="status">
          {missing}
        </p>
        <Lines lines={linesOf(market, outcome)} />
      </div>
    </Dialog>
  );
}
