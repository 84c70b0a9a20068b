/** What a reader may change of the worked example. */
import type { ReactNode } from 'react';
import { formatDecimal } from '../../lib/format.ts';
import { USDT_SCALE } from '../../lib/futures/terms.ts';
import { t } from '../../lib/i18n.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Perpetual } from './frame.tsx';
import classes from './perpetuals.module.css';
import type { ExampleState } from './use-example.ts';

const RATE_SCALE = 7;

interface ExampleFieldsProps {
  readonly perpetual: Perpetual;
  readonly state: ExampleState;
  /** Of the market. */
  readonly choice: ReactNode;
}

/** Where the perpetual trades. */
function MomentFields({ perpetual, state: { entry, set } }: Omit<ExampleFieldsProps, 'choice'>) {
  const price = { unit: 'USDT', unitWidth: 60, steps: false, scale: perpetual.price_scale };
  return (
    <>
      <NumberField label={t('Mark price')} {...price} value={entry.mark} onChange={(mark) => set({ mark })} />
      <NumberField
        label={t('Mean premium')}
        unit="%"
        unitWidth={30}
        steps={false}
        scale={RATE_SCALE}
        value={entry.premium}
        onChange={(premium) => set({ premium })}
      />
      <Select
        label={t('The perpetual trades')}
        allowDeselect={false}
        data={[
          { value: 'above', label: t('Above the index') },
          { value: 'below', label: t('Below the index') },
        ]}
        value={entry.isBelow ? 'below' : 'above'}
        onChange={(where) => set({ isBelow: where === 'below' })}
      />
    </>
  );
}

export function ExampleFields({ perpetual, state, choice }: ExampleFieldsProps) {
  const { entry, set, leverage, highest, worked, largest } = state;
  const price = { unit: 'USDT', unitWidth: 60, steps: false, scale: perpetual.price_scale };
  const allowed = worked?.tier.maximumLeverage ?? highest;
  const tooHigh = leverage !== undefined && leverage > allowed;
  return (
    <>
      <div className={classes.example}>
        {choice}
        <Select
          label={t('Side')}
          allowDeselect={false}
          data={[
            { value: 'long', label: t('Long') },
            { value: 'short', label: t('Short') },
          ]}
          value={entry.isLong ? 'long' : 'short'}
          onChange={(side) => set({ isLong: side === 'long' })}
        />
        <NumberField
          label={t('Opening price')}
          {...price}
          value={entry.entry}
          onChange={(next) => set({ entry: next })}
        />
        <NumberField
          label={t('Amount')}
          unit={perpetual.coin}
          unitWidth={60}
          steps={false}
          scale={perpetual.quantity_scale}
          value={entry.quantity}
          onChange={(quantity) => set({ quantity })}
        />
        <NumberField
          label={t('Leverage')}
          unit="x"
          unitWidth={30}
          steps={false}
          scale={0}
          value={entry.leverage}
          error={tooHigh ? t('At this value at most x{{leverage}} is allowed', { leverage: allowed }) : undefined}
          onChange={(typed) => set({ leverage: typed })}
        />
        <NumberField
          label={t('Margin added')}
          {...price}
          scale={USDT_SCALE}
          value={entry.added}
          onChange={(added) => set({ added })}
        />
        <MomentFields perpetual={perpetual} state={state} />
      </div>
      {leverage === undefined && (
        <p role="alert" className={classes.note}>
          {t('Use a whole number from 1 to {{highest}} as leverage.', { highest })}
        </p>
      )}
      {leverage !== undefined && !worked && (
        <p role="alert" className={classes.note}>
          {t('Enter prices and an amount above zero, worth {{value}} USDT at most.', {
            value: formatDecimal(largest, 0),
          })}
        </p>
      )}
    </>
  );
}
