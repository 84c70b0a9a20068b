/** Margin mode and leverage, for both sides of the form. */
import type { MarginMode } from '@cambist/contract/futures.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { settingsQuery } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import { usePhone } from '../../../ui/card-list.tsx';
import { Segments } from '../../../ui/panel.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import type { MarketProps } from '../terminal.ts';
import classes from './futures.module.css';
import { useChangeLeverage } from './use-leverage.ts';

const CalculatorDialog = lazyPart(() => import('./calculator-dialog.tsx'), 'over');
const ModeDialog = lazyPart(() => import('./mode-dialog.tsx'), 'over');
const LeverageDialog = lazyPart(() => import('./leverage-dialog.tsx'), 'over');

/** One click away; any other whole number in the dialog, which is all that a phone has room for in its line. */
const CHOICES = [10, 15, 20] as const;

export function TicketHead({ pair }: MarketProps) {
  const symbol = pair.pair_name;
  const settings = useQuery(settingsQuery(symbol)).data;
  const change = useChangeLeverage(symbol);
  const [open, setOpen] = useState<'leverage' | 'calculator' | 'mode'>();
  const close = () => setOpen(undefined);
  const leverage = settings?.leverage;
  const phone = usePhone();
  const offered = CHOICES.filter((times) => times <= (settings?.maximum_leverage ?? Math.max(...CHOICES)));
  const choices = phone ? [] : offered;
  const isOther = leverage !== undefined && !choices.some((times) => times === leverage);
  return (
    <div className={classes.head}>
      <MarginModeChoice symbol={symbol} chosen={settings?.margin_mode} />
      <button
        type="button"
        className={classes.leverage}
        aria-haspopup="dialog"
        title={t('Position mode')}
        onClick={() => setOpen('mode')}
      >
        {settings?.position_mode === 'hedge' ? t('Hedge') : t('One-way')}
      </button>
      <button type="button" className={classes.leverage} aria-haspopup="dialog" onClick={() => setOpen('calculator')}>
        {t('Calculator')}
      </button>
      <Link to={`/futures/rules?pair=${pair.pair_name}`} className={classes.rules ?? ''}>
        {t('Rules')}
      </Link>
      <fieldset className={classes.leverages} aria-label={t('Leverage')} disabled={change.isPending}>
        {choices.map((times) => (
          <button
            key={times}
            type="button"
            className={classes.leverage}
            aria-pressed={times === leverage}
            onClick={() => change.mutate({ leverage: times })}
          >
            x{times}
          </button>
        ))}
        <button
          type="button"
          className={classes.leverage}
          aria-haspopup="dialog"
          aria-pressed={isOther}
          aria-label={t('Other leverage')}
          onClick={() => setOpen('leverage')}
        >
          {isOther ? `x${leverage}` : '…'}
        </button>
      </fieldset>
      {open && settings && (
        <Suspense fallback={null}>
          {open === 'leverage' && <LeverageDialog pair={pair} settings={settings} onClose={close} />}
          {open === 'mode' && <ModeDialog pair={pair} settings={settings} onClose={close} />}
          {open === 'calculator' && <CalculatorDialog pair={pair} settings={settings} onClose={close} />}
        </Suspense>
      )}
    </div>
  );
}

interface MarginModeProps {
  readonly symbol: string;
  /** As the server has it; undefined until it has answered. */
  readonly chosen: MarginMode | undefined;
}

function MarginModeChoice({ symbol, chosen = 'cross' }: MarginModeProps) {
  const change = useChangeLeverage(symbol);
  // Shown at once, so that keys go on from there.
  const [asked, setAsked] = useState<MarginMode>();
  return (
    <Segments<MarginMode>
      label={t('Margin mode')}
      value={asked ?? chosen}
      options={[
        { value: 'cross', label: t('Cross') },
        { value: 'isolated', label: t('Isolated') },
      ]}
      onChange={(margin_mode) => {
        setAsked(margin_mode);
        change.mutate({ margin_mode }, { onSettled: () => setAsked(undefined) });
      }}
    />
  );
}
