/** Says what an open order is and what it becomes, and asks for the transaction password unless unlocked. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { amendConditionalOrder, amendOrder, type Order } from '@cambist/contract/trading.ts';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf, titleOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { forgetUnlock, isUnlocked } from '../../../lib/trading-unlock.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useIsShown } from '../../../ui/is-shown.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { noticeError, noticeSuccess } from '../notices.ts';
import { useTerminal } from '../terminal.ts';
import type { MarketNow } from '../ticket/market-distance.ts';
import classes from '../ticket/ticket.module.css';
import { amendErrors, amendLines, amendWarning, changesText, realChanges } from './amend-fields.ts';
import { followAct, readAccountAgain } from './read-again.ts';
import { sideText } from './side-text.ts';
import { type AmendChanges, type AmendField, type Amendment, useAmend } from './use-amend.ts';

async function amend(order: Order, changes: AmendChanges, password: string) {
  const secret = password === '' ? {} : { transaction_password: password };
  const input = { params: { id: order.id }, body: { ...changes, ...secret } };
  const untriggered = order.trigger?.status === 'untriggered';
  return sendOnce(`amend ${order.id}`, (idempotencyKey) =>
    untriggered
      ? call(amendConditionalOrder, { ...input, idempotencyKey })
      : call(amendOrder, { ...input, idempotencyKey }),
  );
}

interface Wanted {
  readonly changes: AmendChanges;
  readonly password: string;
  /** Whether a dialog is there, in which something else can be tried. */
  readonly hasDialog: boolean;
}

/** There is nothing left to be changed. */
const isOver = (error: Error) =>
  error instanceof ApiProblem && (error.code === 'ORDER_NOT_FOUND' || error.code === 'NOT_AMENDABLE');

function useAmendOrder(order: Order) {
  const queries = useQueryClient();
  const end = useAmend((store) => store.end);
  const isShown = useIsShown();
  const [wrong, setWrong] = useState(false);
  const [unlocked, setUnlocked] = useState(isUnlocked);
  const mutation = useMutation({
    mutationFn: ({ changes, password }: Wanted) => amend(order, changes, password),
    onSuccess: ({ message, order: changed }, { changes, password }) => {
      if (message !== 'success') {
        forgetUnlock();
        setUnlocked(false);
        setWrong(password !== '');
        if (password !== '') noticeError(t('Error!'), t('Wrong transaction password'));
        return;
      }
      noticeSuccess(t('Order changed'), changesText(order, changes));
      followAct(queries, changed);
      if (isShown()) end();
    },
    onError: (error, { hasDialog }) => {
      noticeError(titleOf(error, t('Change failed')), messageOf(error));
      readAccountAgain(queries);
      if (isShown() && (!hasDialog || isOver(error))) end();
    },
  });
  return { mutation, wrong, setWrong, unlocked, end };
}

function useAmendForm({ order, fromChart, changes: begun }: Amendment, market: MarketNow | undefined) {
  const { mutation, wrong, setWrong, unlocked, end } = useAmendOrder(order);
  const [changes, setChanges] = useState<AmendChanges>(begun);
  const [password, setPassword] = useState('');
  const [touched, setTouched] = useState(false);
  const errors = amendErrors(order, changes, market);
  const warning = amendWarning(order, changes, market);
  // Looked at once: the market moves on, and the dialog would come and go.
  const [isUnusual] = useState(warning !== undefined || Object.keys(errors).length > 0);
  const real = realChanges(order, changes);
  const nothing = Object.keys(real).length === 0;
  // Who skips confirmations sees the order change, and no dialog that comes and goes.
  const skips = fromChart && unlocked && !isUnusual && usePreferences.getState().skipConfirmation;
  const atOnce = useRef(skips && !nothing);
  const send = mutation.mutate;
  useEffect(() => {
    if (!atOnce.current) return;
    atOnce.current = false;
    send({ changes: real, password: '', hasDialog: false });
  });
  const needsPassword = !unlocked && password === '';
  return {
    changes,
    errors: touched ? errors : {},
    warning: errors.price === undefined ? warning : undefined,
    isUnchanged: nothing && Object.keys(errors).length === 0,
    isPending: mutation.isPending,
    unlocked,
    skips,
    end,
    password,
    passwordError: touched && needsPassword ? t('Password is required') : wrong ? t('Wrong transaction password') : '',
    change: (field: AmendField, value: string) => {
      setChanges({ ...changes, [field]: value });
      setTouched(false);
    },
    setPassword: (typed: string) => {
      setPassword(typed);
      setWrong(false);
    },
    confirm: () => {
      setTouched(true);
      const isReady = !nothing && Object.keys(errors).length === 0 && !needsPassword;
      if (isReady) send({ changes: real, password, hasDialog: true });
    },
  };
}

interface AmendDialogProps {
  readonly amendment: Amendment;
  /** The order's; undefined for one that is no longer listed. */
  readonly pair: CoinPair | undefined;
}

export default function AmendDialog({ amendment, pair }: AmendDialogProps) {
  return pair ? <Known amendment={amendment} pair={pair} /> : <AmendForm amendment={amendment} market={undefined} />;
}

function Known({ amendment, pair }: { readonly amendment: Amendment; readonly pair: CoinPair }) {
  const readMarket = useTerminal().ticketKind.useContext(pair);
  return <AmendForm amendment={amendment} market={readMarket()} />;
}

interface AmendFormProps {
  readonly amendment: Amendment;
  readonly market: MarketNow | undefined;
}

function AmendForm({ amendment, market }: AmendFormProps) {
  const form = useAmendForm(amendment, market);
  if (form.skips) return null;
  const [base, quote] = amendment.order.coin_pair.pair_name.split('-');
  return (
    <Dialog onClose={form.end} size={400} title={t('Change order')}>
      <form
        className={classes.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.confirm();
        }}
      >
        <p className={classes.line}>{sideText(amendment.order)}</p>
        {amendLines(amendment.order).map(({ field, title, before }, index) => (
          <NumberField
            key={field}
            label={title}
            unit={field === 'quantity' ? base : quote}
            autoFocusInDialog={index === 0 && !amendment.fromChart}
            hint={t('Now {{value}}', { value: localizeNumber(before) })}
            scale={decimal(before).scale}
            value={form.changes[field] ?? before}
            error={form.errors[field]}
            onChange={(value) => form.change(field, value)}
          />
        ))}
        {form.warning && (
          <p className={classes.warning} role="alert">
            {form.warning}
          </p>
        )}
        {!form.unlocked && (
          <SecretInput
            className={classes.password ?? ''}
            label={t('Transaction password')}
            autoComplete="off"
            value={form.password}
            error={form.passwordError || undefined}
            onChange={({ currentTarget }) => form.setPassword(currentTarget.value)}
          />
        )}
        <Group grow>
          <Button variant="default" onClick={form.end}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={form.isPending} disabled={form.isUnchanged}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
