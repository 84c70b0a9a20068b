/** The fields of a withdrawal, what it costs, and the button that asks for it. */
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { type Decimal, decimal, toShortText } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { usePhone } from '../../../ui/card-list.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { NOTICE_MS, noticeError } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { NetworkChoice } from '../network-choice.tsx';
import { AddressField } from './address-field.tsx';
import { CoinPicker } from './coin-picker.tsx';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';
import { FraudAlert, type Review, useBeginWithdrawal } from './use-withdraw.tsx';
import type { WithdrawCoin, WithdrawForm } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { blocksButton } from './withdraw-form.ts';

interface WithdrawFieldsProps {
  readonly coins: readonly WithdrawCoin[];
  readonly form: WithdrawForm;
  readonly onSent: (coin: string) => void;
}

type Trouble = NonNullable<WithdrawForm['network']>['trouble'] & string;

const TROUBLES: Readonly<Record<Trouble, string>> = {
  PAUSED: msg('Withdrawals by this network are paused. What you request now is sent when they resume.'),
  BEHIND: msg('This network is running behind. What you request now may be sent later than usual.'),
  SPLIT: msg('Nodes of this network disagree. What you request now is sent once they agree.'),
  AWAY: msg('This network cannot be reached. What you request now is sent once it is back.'),
};

const arrivalText = (minutes: string | null) =>
  minutes === null ? t('Estimated by the network') : t('About {{minutes}} min', { minutes });

export function WithdrawFields({ coins, form, onSent }: WithdrawFieldsProps) {
  const [review, setReview] = useState<Review>();
  const [fraudulent, setFraudulent] = useState(false);
  const begin = useBeginWithdrawal({ onReview: setReview, onFraud: () => setFraudulent(true) });
  const { coin, network, wish } = form;
  const submit = () => {
    form.tryAll();
    if (form.addressProblem) {
      return noticeError(t('Error!'), t('Address and Network does not match.'), NOTICE_MS.trade);
    }
    if (wish && !begin.isPending) begin.mutate(wish);
  };
  return (
    <>
      <form
        className={classes.what}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Where coins={coins} form={form} />
        <AmountField form={form} />
        <CheckNotes form={form} />
        <Summary form={form} busy={begin.isPending} />
      </form>
      {review && coin && network && (
        <ConfirmWithdrawal
          review={review}
          network={network}
          onClose={() => setReview(undefined)}
          onFraud={() => {
            setReview(undefined);
            setFraudulent(true);
          }}
          onSent={() => {
            form.clear();
            onSent(coin.name);
          }}
        />
      )}
      {fraudulent && <FraudAlert onClose={() => setFraudulent(false)} />}
    </>
  );
}

function Where({ coins, form }: Pick<WithdrawFieldsProps, 'coins' | 'form'>) {
  const { coin, network, limits, errors } = form;
  if (!coin) return null;
  return (
    <>
      <CoinPicker coins={coins} funds={limits.data?.coins ?? []} value={coin.name} onChoose={form.chooseCoin} />
      <NetworkChoice
        networks={coin.networks}
        chosen={network}
        error={errors.network}
        hint={t('Choose the network of the receiving address. By any other network the coins are lost.')}
        factsOf={(one) => [
          t('Arrival: {{time}}', { time: arrivalText(one.arrival) }),
          t('Fee: {{amount}} {{coin}}', { amount: formatExact(decimal(one.fee)), coin: coin.name }),
        ]}
        onChoose={form.chooseNetwork}
      />
      {network?.trouble && <Alert color="yellow">{t(TROUBLES[network.trouble])}</Alert>}
      {network?.is_development && (
        <p className={classes.hint}>
          {t('A test network inside the development server: what is sent here reaches no real blockchain.')}
        </p>
      )}
      <AddressField form={form} />
    </>
  );
}

/** Decimals to type while the balance, whose own decimals count, is not there. */
const LEDGER_SCALE = 8;

function AmountField({
  form: { coin, network, entered, available, withdrawable, errors, enter },
}: {
  readonly form: WithdrawForm;
}) {
  const name = coin?.name ?? '';
  const minimum =
    network && t('Minimum {{amount}} {{coin}}', { amount: formatExact(decimal(network.minimum)), coin: name });
  const amount = available ? formatExact(available) : '–';
  const balance = t('Available: {{amount}} {{coin}}', { amount, coin: name });
  return (
    <NumberField
      label={t('Amount')}
      hint={minimum ? `${balance} · ${minimum}` : balance}
      placeholder="0"
      scale={available?.scale || LEDGER_SCALE}
      steps={false}
      value={entered.amount}
      error={errors.amount}
      unitWidth={116}
      unit={
        <span className={classes.unit}>
          {name}
          <Button
            size="compact-xs"
            variant="light"
            disabled={!withdrawable}
            onClick={() => withdrawable && enter({ amount: toShortText(withdrawable) })}
          >
            {t('Max')}
          </Button>
        </span>
      }
      onChange={(amount) => enter({ amount })}
    />
  );
}

/** What the server says of it before it is asked for. */
function CheckNotes({ form: { check } }: { readonly form: WithdrawForm }) {
  if (!check) return null;
  const notes = [
    check.is_internal && t('This address belongs to a Cambist account: the transfer is free and arrives at once.'),
    check.is_new_address && t('You have not withdrawn to this address before.'),
    check.needs_review && t('Our team will review this withdrawal before it is sent.'),
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label={t('About this withdrawal')}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** On a phone the sums and the button stay at the end of the screen. */
function Summary({ form, busy }: { readonly form: WithdrawForm; readonly busy: boolean }) {
  const isPhone = usePhone();
  const { coin, network, check, fee, receives, arrival, status } = form;
  const inCoin = (amount: Decimal) => `${formatExact(amount)} ${coin?.name}`;
  const isFree = decimal(fee).units === 0n;
  const facts = [
    { name: t('Receive amount'), value: inCoin(receives), strong: true },
    { name: t('Network fee'), value: network ? (isFree ? t('None') : inCoin(decimal(fee))) : '–' },
    ...(isPhone || !network
      ? []
      : [{ name: t('Arrival'), value: check?.is_internal ? t('At once') : arrivalText(arrival) }]),
  ];
  return (
    <div className={isPhone ? classes.footer : classes.summary} data-footer={isPhone || undefined}>
      <Facts look="rows" className={classes.facts} facts={facts} />
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={busy}
        disabled={blocksButton(form.addressProblem) || status === 'NOT_ALLOWED'}
      >
        {t('Withdraw')}
      </Button>
    </div>
  );
}
