/** How much a hot wallet is to have, and from which worth on deposits are swept. */
import { COIN_PRICE_DECIMALS, changeSweepPolicy, changeWalletBounds } from '@cambist/contract/admin-hot-cold.ts';
import { Button, NumberInput, Switch } from '@mantine/core';
import { call } from '../../../lib/api-client.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import classes from '../console.module.css';
import { useEntry } from '../markets/market-form.ts';
import { useAct } from '../use-act.ts';
import own from './treasury.module.css';
import type { HotAndCold } from './treasury-queries.ts';

type Network = HotAndCold['networks'][number];
type Wallet = Network['wallets'][number];

/** Of any coin on any chain. */
const MOST_DECIMALS = 18;
const NO_BOUNDS = { low: '', target: '', high: '' };

interface BoundsDialogProps {
  readonly network: Network['network'];
  readonly wallet: Wallet;
  readonly onClose: () => void;
}

export function BoundsDialog({ network, wallet: { coin, bounds }, onClose }: BoundsDialogProps) {
  const change = useAct(
    (next: typeof NO_BOUNDS | null) => call(changeWalletBounds, { body: { coin, network, bounds: next } }),
    onClose,
  );
  const short = (amount: string) => toShortText(decimal(amount));
  const before = bounds && { low: short(bounds.low), target: short(bounds.target), high: short(bounds.high) };
  const { entry, field, isReadable } = useEntry(before ?? NO_BOUNDS, change.error);
  const amount = { unit: coin, unitWidth: 64, steps: false, scale: MOST_DECIMALS };
  const isWhole = entry.low !== '' && entry.target !== '' && entry.high !== '';
  return (
    <Dialog onClose={onClose} title={t('{{coin}} in the hot wallet of {{network}}', { coin, network })} size="md">
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(entry);
        }}
      >
        <div className={own.pairs}>
          <NumberField label={t('Refill below')} {...amount} {...field('low')} />
          <NumberField label={t('Target')} {...amount} {...field('target')} />
          <NumberField label={t('Send to cold above')} {...amount} {...field('high')} />
        </div>
        <p className={classes.quiet}>
          {t('Above the upper bound, the rest goes to the cold wallet. Below the lower one, a refill is asked for.')}
        </p>
        <div className={own.acts}>
          <Button type="submit" loading={change.isPending} disabled={!isWhole || !isReadable}>
            {t('Change bounds')}
          </Button>
          {bounds && (
            <Button variant="default" disabled={change.isPending} onClick={() => change.mutate(null)}>
              {t('Remove bounds')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface SweepPolicyDialogProps {
  readonly network: Network['network'];
  readonly policy: NonNullable<Network['sweeps']>;
  readonly onClose: () => void;
}

export function SweepPolicyDialog({ network, policy, onClose }: SweepPolicyDialogProps) {
  const { is_on, least_multiple, own_coin: coin, coin_price: before } = policy;
  const initial = { is_on, least_multiple, coin_price: before ?? '' };
  const change = useAct(
    ({ coin_price: price, ...next }: typeof initial) =>
      call(changeSweepPolicy, { body: { network, ...next, coin_price: price === '' ? null : price } }),
    onClose,
  );
  const { entry, set, field, problemOf, isReadable } = useEntry(initial, change.error);
  return (
    <Dialog onClose={onClose} title={t('Sweeps of {{network}}', { network })} size="sm">
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(entry);
        }}
      >
        <Switch
          label={t('Bring deposits to the hot wallet')}
          checked={entry.is_on}
          onChange={(event) => set('is_on', event.currentTarget.checked)}
        />
        <NumberInput
          label={t('Least worth, as a multiple of the fee')}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={entry.least_multiple}
          error={problemOf('least_multiple')}
          onChange={(value) => set('least_multiple', Number(value))}
        />
        <NumberField
          label={t('Price of {{coin}}, where no market has one', { coin })}
          {...{ unit: 'USDT', unitWidth: 64, steps: false, scale: COIN_PRICE_DECIMALS }}
          {...field('coin_price')}
        />
        <p className={classes.quiet}>
          {t('By it, what a sweep costs is compared with what it brings. Leave it empty for none.')}
        </p>
        <Button type="submit" loading={change.isPending} disabled={entry.least_multiple < 1 || !isReadable}>
          {t('Change sweeps')}
        </Button>
      </form>
    </Dialog>
  );
}
