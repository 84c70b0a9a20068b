/** Dialogs of an operator's acts about pairs. Each says what will happen, and asks why. */
import { changeMarket, delistMarket, listCoin, listMarket } from '@cambist/contract/admin-markets.ts';
import { haltMarket } from '@cambist/contract/operations.ts';
import { NumberInput, TextInput } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { call } from '../../../lib/api-client.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import classes from '../console.module.css';
import { ReasonedAct } from '../reason-field.tsx';
import { useAct } from '../use-act.ts';
import { type AdminMarket, type LimitsEntry, limitsOf, NEW_LISTING, PERCENT_SCALE, useEntry } from './market-form.ts';
import own from './markets-page.module.css';

/** Of a coin in the ledger. */
const MOST_DECIMALS = 9;
/** Of USDT. */
const VALUE_SCALE = 8;

interface DialogProps {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly ready: boolean;
  readonly danger?: boolean;
  readonly reason: ReturnType<ReturnType<typeof useEntry<{ reason: string }>>['field']>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ActDialog({ title, action, busy, ready, danger, reason, onSubmit, onClose, children }: DialogProps) {
  return (
    <Dialog onClose={onClose} title={title} size="md">
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <ReasonedAct {...{ reason, action, busy, ready, onClose }} isDangerous={danger ?? false} />
      </form>
    </Dialog>
  );
}

type NumberProps = Pick<ComponentProps<typeof NumberField>, 'value' | 'error' | 'onChange'>;

interface LimitFieldsProps {
  readonly coin: string;
  readonly quantityScale: number;
  readonly field: (name: keyof LimitsEntry) => NumberProps;
}

function LimitFields({ coin, quantityScale, field }: LimitFieldsProps) {
  const quantity = { unit: coin, unitWidth: 70, scale: quantityScale };
  return (
    <div className={own.pairs}>
      <NumberField label={t('Smallest quantity')} {...quantity} {...field('minimum_quantity')} />
      <NumberField label={t('Largest quantity')} {...quantity} {...field('maximum_quantity')} />
      <NumberField
        label={t('Smallest value')}
        unit="USDT"
        unitWidth={70}
        scale={VALUE_SCALE}
        {...field('minimum_value')}
      />
      <NumberField
        label={t('Price band')}
        hint={t('Around the last price; 0 for none')}
        unit="%"
        unitWidth={30}
        scale={PERCENT_SCALE}
        {...field('price_band_percent')}
      />
    </div>
  );
}

export interface OfMarketProps {
  readonly market: AdminMarket;
  readonly onClose: () => void;
}

export function LimitsDialog({ market, onClose }: OfMarketProps) {
  const change = useAct(
    (body: LimitsEntry) => call(changeMarket, { params: { symbol: market.symbol }, body }),
    onClose,
  );
  const { entry, field, isReadable } = useEntry(limitsOf(market), change.error);
  return (
    <ActDialog
      title={t('Limits of {{pair}}', { pair: market.symbol })}
      action={t('Change limits')}
      busy={change.isPending}
      ready={isReadable}
      reason={field('reason')}
      onSubmit={() => change.mutate(entry)}
      onClose={onClose}
    >
      <p className={classes.quiet}>{t('New orders follow the new limits. Resting orders keep theirs.')}</p>
      <LimitFields coin={market.coin} quantityScale={market.quantity_decimals} field={field} />
    </ActDialog>
  );
}

export function HaltDialog({ market, onClose }: OfMarketProps) {
  const halted = market.state !== 'halted';
  const halt = useAct(
    (reason: string) => call(haltMarket, { body: { symbol: market.symbol, halted, reason } }),
    onClose,
  );
  const { entry, field } = useEntry({ reason: '' }, halt.error);
  const values = { pair: market.symbol };
  return (
    <ActDialog
      title={halted ? t('Halt trading in {{pair}}?', values) : t('Resume trading in {{pair}}?', values)}
      action={halted ? t('Halt trading') : t('Resume trading')}
      busy={halt.isPending}
      ready
      reason={field('reason')}
      onSubmit={() => halt.mutate(entry.reason)}
      onClose={onClose}
    >
      <p className={classes.quiet}>
        {halted
          ? t('No order is placed, changed or triggered. Resting orders stay and can be cancelled.')
          : t('Orders are placed, changed and triggered again, starting from the current book.')}
      </p>
    </ActDialog>
  );
}

export function DelistDialog({ market, onClose }: OfMarketProps) {
  const delist = useAct(
    (body: { confirm: string; reason: string }) => call(delistMarket, { params: { symbol: market.symbol }, body }),
    onClose,
  );
  const { entry, text, field } = useEntry({ confirm: '', reason: '' }, delist.error);
  const facts = [
    { name: t('Open orders that are cancelled'), value: market.open_orders },
    { name: t('Untriggered orders that are cancelled'), value: market.untriggered_orders },
  ];
  const values = { pair: market.symbol, coin: market.coin };
  return (
    <ActDialog
      title={t('Delist {{pair}}?', values)}
      action={t('Delist permanently')}
      danger
      busy={delist.isPending}
      ready={entry.confirm.trim() === market.symbol}
      reason={field('reason')}
      onSubmit={() => delist.mutate({ ...entry, confirm: entry.confirm.trim() })}
      onClose={onClose}
    >
      <Facts look="rows" facts={facts} className={own.counts} />
      <ul className={own.list}>
        <li>{t('Funds reserved by these orders are released to their clients immediately.')}</li>
        <li>{t('Clients keep their {{coin}}, which has no price here any more.', values)}</li>
        <li>{t('Orders and trades stay in every history. The pair cannot be listed again.')}</li>
      </ul>
      <TextInput
        label={t('Type {{pair}} to confirm', values)}
        autoComplete="off"
        spellCheck={false}
        {...text('confirm')}
      />
    </ActDialog>
  );
}

interface ListPairProps {
  /** Coins that have no pair yet. */
  readonly coins: readonly { readonly code: string; readonly decimals: number }[];
  readonly quoteDecimals: number;
  readonly onClose: () => void;
}

export function ListPairDialog({ coins, quoteDecimals, onClose }: ListPairProps) {
  const list = useAct((body: typeof NEW_LISTING) => call(listMarket, { body }), onClose);
  const form = useEntry({ ...NEW_LISTING, coin: coins[0]?.code ?? '' }, list.error);
  const { entry, set, field, problemOf } = form;
  const coinDecimals = coins.find(({ code }) => code === entry.coin)?.decimals ?? 0;
  const count = (name: 'price_decimals' | 'quantity_decimals', max: number) => ({
    min: 0,
    max,
    allowDecimal: false,
    clampBehavior: 'strict' as const,
    value: entry[name],
    error: problemOf(name),
    onChange: (value: number | string) => set(name, Number(value)),
  });
  return (
    <ActDialog
      title={t('List a pair')}
      action={t('List and open trading')}
      busy={list.isPending}
      ready={entry.coin !== '' && entry.reference_price !== '' && form.isReadable}
      reason={field('reason')}
      onSubmit={() => list.mutate(entry)}
      onClose={onClose}
    >
      <p className={classes.quiet}>{t('It trades against USDT at once. Its decimals never change.')}</p>
      <div className={own.pairs}>
        <Select
          label={t('Coin')}
          allowDeselect={false}
          searchable
          data={coins.map(({ code }) => code)}
          value={entry.coin}
          onChange={(value) => set('coin', value ?? '')}
        />
        <NumberField
          label={t('First price')}
          unit="USDT"
          unitWidth={70}
          scale={entry.price_decimals}
          {...field('reference_price')}
        />
        <NumberInput label={t('Decimals of the price')} {...count('price_decimals', quoteDecimals)} />
        <NumberInput label={t('Decimals of the quantity')} {...count('quantity_decimals', coinDecimals)} />
      </div>
      <LimitFields coin={entry.coin} quantityScale={entry.quantity_decimals} field={field} />
    </ActDialog>
  );
}

export function ListCoinDialog({ onClose }: { readonly onClose: () => void }) {
  const list = useAct((body: { code: string; decimals: number; reason: string }) => call(listCoin, { body }), onClose);
  const { entry, set, text, field, problemOf } = useEntry({ code: '', decimals: 8, reason: '' }, list.error);
  return (
    <ActDialog
      title={t('List a coin')}
      action={t('List the coin')}
      busy={list.isPending}
      ready={entry.code !== ''}
      reason={field('reason')}
      onSubmit={() => list.mutate(entry)}
      onClose={onClose}
    >
      <p className={classes.quiet}>{t('Its code and decimals never change. List a pair of it next.')}</p>
      <div className={own.pairs}>
        <TextInput
          label={t('Code')}
          autoComplete="off"
          spellCheck={false}
          maxLength={10}
          {...text('code')}
          onChange={({ currentTarget }) => set('code', currentTarget.value.toUpperCase())}
        />
        <NumberInput
          label={t('Decimals')}
          min={0}
          max={MOST_DECIMALS}
          allowDecimal={false}
          clampBehavior="strict"
          value={entry.decimals}
          error={problemOf('decimals')}
          onChange={(value) => set('decimals', Number(value))}
        />
      </div>
    </ActDialog>
  );
}
