/** The fields of a perpetual's terms, each with what the server says against it. */
import { ActionIcon, Button, NumberInput } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { IconTrash } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { PERCENT_SCALE } from '../markets/market-form.ts';
import own from './futures.module.css';
import type { TermsForm } from './terms-entry.ts';

const VALUE_SCALE = 8;
/** Of a funding rate in percent. */
const RATE_SCALE = 7;
const MAXIMUM_TIERS = 32;
const MAXIMUM_LEVERAGE = 200;

const percent = { unit: '%', unitWidth: 30, steps: false, scale: PERCENT_SCALE } as const;
const rate = { ...percent, scale: RATE_SCALE } as const;
const value = { unit: 'USDT', unitWidth: 60, steps: false, scale: VALUE_SCALE } as const;

interface FieldsProps {
  readonly form: TermsForm;
}

export function FeeFields({ form }: FieldsProps) {
  return (
    <fieldset className={own.fields}>
      <legend>{t('Fees and mark price')}</legend>
      <NumberField label={t('Maker')} {...percent} {...form.fee('maker_fee_percent')} />
      <NumberField label={t('Taker')} {...percent} {...form.fee('taker_fee_percent')} />
      <NumberField
        label={t('Mark within')}
        hint={t('How far it may be from the index')}
        {...percent}
        {...form.fee('mark_clamp_percent')}
      />
    </fieldset>
  );
}

export function TierFields({ form }: FieldsProps) {
  const { entry, keyOf, setTier, addTier, removeTier, problemOf } = form;
  const { tiers } = entry;
  return (
    <fieldset className={own.tierList}>
      <legend>{t('Tiers by the value of a position')}</legend>
      {tiers.map((tier, index) => {
        const number = index + 1;
        return (
          <div key={keyOf(index)} className={own.tier}>
            <NumberField
              label={t('Tier {{number}} up to', { number })}
              {...value}
              {...form.tier(index, 'maximum_value')}
            />
            <NumberInput
              label={t('Highest leverage')}
              prefix="x"
              min={1}
              max={MAXIMUM_LEVERAGE}
              allowDecimal={false}
              clampBehavior="strict"
              value={tier.maximum_leverage}
              error={problemOf(`tiers.${index}.maximum_leverage`)}
              onChange={(leverage) => setTier(index, { maximum_leverage: Number(leverage) })}
            />
            <NumberField label={t('Maintenance')} {...percent} {...form.tier(index, 'maintenance_percent')} />
            <ActionIcon
              className={own.remove ?? ''}
              variant="subtle"
              color="gray"
              disabled={tiers.length === 1}
              aria-label={t('Remove tier {{number}}', { number })}
              onClick={() => removeTier(index)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        className={own.start ?? ''}
        size="compact-sm"
        variant="default"
        disabled={tiers.length >= MAXIMUM_TIERS}
        onClick={addTier}
      >
        {t('Add a tier')}
      </Button>
    </fieldset>
  );
}

export function FundingFields({ form }: FieldsProps) {
  const { entry, change, interest, problemOf } = form;
  const { funding } = entry;
  return (
    <fieldset className={own.fields}>
      <legend>{t('Funding', { context: 'rate' })}</legend>
      <Select
        label={t('Interval', { context: 'funding' })}
        allowDeselect={false}
        data={[1, 4, 8].map((hours) => ({ value: String(hours), label: t('{{hours}} h', { hours }) }))}
        value={String(funding.interval_hours)}
        error={problemOf('funding.interval_hours')}
        onChange={(hours) =>
          change({ funding: { ...funding, interval_hours: hours === '1' ? 1 : hours === '4' ? 4 : 8 } })
        }
      />
      <NumberField
        label={t('Interest of an interval')}
        {...rate}
        value={interest.value}
        error={interest.error}
        onChange={(next) => interest.set(next, interest.isReceived)}
      />
      <Select
        label={t('Who pays the interest')}
        allowDeselect={false}
        data={[
          { value: 'longs', label: t('Longs') },
          { value: 'shorts', label: t('Shorts') },
        ]}
        value={interest.isReceived ? 'shorts' : 'longs'}
        onChange={(who) => interest.set(interest.value, who === 'shorts')}
      />
      <NumberField
        label={t('Damp')}
        hint={t('How far interest pulls the rate')}
        {...rate}
        {...form.funding('damp_percent')}
      />
      <NumberField
        label={t('Cap')}
        hint={t('The highest rate, either way')}
        {...rate}
        {...form.funding('cap_percent')}
      />
      <NumberField
        label={t('Impact value')}
        hint={t('The order by which the premium is measured')}
        {...value}
        {...form.funding('impact_value')}
      />
    </fieldset>
  );
}
