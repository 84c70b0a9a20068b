/** The end of a perpetual: the price that an operator enters, what it does and costs, and the act with its reason. */
import { previewSettlement, type SettlementEffect, settlePerpetual } from '@cambist/contract/admin-futures.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf, titleOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { refusedText } from '../../../lib/typed-number.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { ReasonedAct } from '../reason-field.tsx';
import { useAct } from '../use-act.ts';
import own from './futures.module.css';

const MONEY_DIGITS = 2;

interface SettleDialogProps {
  readonly symbol: string;
  /** Null until there was one. */
  readonly mark: string | null;
  readonly onClose: () => void;
}

export function SettleDialog({ symbol, mark, onClose }: SettleDialogProps) {
  const [price, setPrice] = useState(mark ?? '');
  const [effect, setEffect] = useState<SettlementEffect>();
  const preview = useMutation({
    mutationFn: () => call(previewSettlement, { params: { symbol }, body: { price } }),
    onSuccess: setEffect,
    onError: (error) => {
      if (fieldProblem(error) === undefined) noticeError(titleOf(error, t('Action failed')), messageOf(error));
    },
  });
  return (
    <Dialog onClose={onClose} title={t('Settle {{pair}}?', { pair: symbol })}>
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate();
        }}
      >
        <ul className={own.list}>
          <li>{t('The market is halted, and its orders and TWAPs end.')}</li>
          <li>{t('All positions are closed at one price, without a fee. Terms do not hold them.')}</li>
          <li>{t('It is delisted for good. Orders, trades and positions stay in every history.')}</li>
        </ul>
        <NumberField
          label={t('Settlement price')}
          unit="USDT"
          unitWidth={60}
          steps={false}
          scale={decimal(mark ?? '0').scale}
          value={price}
          error={fieldProblem(preview.error)}
          onChange={(value) => {
            setPrice(value);
            setEffect(undefined);
            preview.reset();
          }}
        />
        {!effect && (
          <Button
            type="submit"
            className={own.start ?? ''}
            loading={preview.isPending}
            disabled={price === '' || refusedText(price) !== undefined}
          >
            {t('See what it does')}
          </Button>
        )}
      </form>
      {effect && (
        <Decision
          symbol={symbol}
          price={price}
          effect={effect}
          onStale={() => setEffect(undefined)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

const fieldProblem = (error: Error | null) => (error instanceof ApiProblem ? error.fields.get('price') : undefined);

interface DecisionProps {
  readonly symbol: string;
  readonly price: string;
  readonly effect: SettlementEffect;
  /** What it does has changed meanwhile. */
  readonly onStale: () => void;
  readonly onClose: () => void;
}

function Decision({ symbol, price, effect, onStale, onClose }: DecisionProps) {
  const [entry, setEntry] = useState({ confirm: '', reason: '', isAgreed: false });
  const { insurance_pays: pays } = effect;
  const costs = decimal(pays).units > 0n;
  const settle = useAct(async () => {
    try {
      const body = { price, confirm: entry.confirm.trim(), accept_insurance: pays, reason: entry.reason };
      await call(settlePerpetual, { params: { symbol }, body });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'WOULD_PAY') onStale();
      throw error;
    }
  }, onClose);
  const money = (value: string) => `${formatDecimal(value, MONEY_DIGITS)} USDT`;
  return (
    <section className={own.form} aria-label={t('What it does')}>
      <Facts
        look="rows"
        className={own.counts}
        facts={[
          { name: t('Positions that are settled'), value: effect.positions },
          { name: t('Orders and TWAPs that end'), value: effect.cancelled_orders },
          { name: t('The insurance fund pays'), value: money(pays), strong: costs },
          { name: t('Insurance fund'), value: money(effect.insurance) },
        ]}
      />
      {costs && (
        <Checkbox
          color="red"
          label={t('Let the insurance fund pay {{amount}}', { amount: money(pays) })}
          checked={entry.isAgreed}
          onChange={({ currentTarget }) => setEntry({ ...entry, isAgreed: currentTarget.checked })}
        />
      )}
      <TextInput
        label={t('Type {{pair}} to confirm', { pair: symbol })}
        autoComplete="off"
        spellCheck={false}
        value={entry.confirm}
        onChange={({ currentTarget }) => setEntry({ ...entry, confirm: currentTarget.value })}
      />
      <ReasonedAct
        reason={{ value: entry.reason, onChange: (reason) => setEntry({ ...entry, reason }) }}
        action={t('Settle and delist')}
        isDangerous
        busy={settle.isPending}
        ready={entry.confirm.trim() === symbol && (!costs || entry.isAgreed)}
        onAct={() => settle.mutate(undefined)}
        onClose={onClose}
      />
    </section>
  );
}
