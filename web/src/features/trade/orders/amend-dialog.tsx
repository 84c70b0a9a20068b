/** Says what an open order is and what it becomes, and asks for the transaction password unless unlocked. */
import { amendConditionalOrder, amendOrder, type Order } from '@cambist/contract/trading.ts';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { localizeNumber, typedAmount } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { noticeError, noticeSuccess } from '../notices.ts';
import classes from '../ticket/ticket.module.css';
import { forgetUnlock, isUnlocked } from '../ticket/trading-unlock.ts';
import { amendLines, changesText, realChanges } from './amend-fields.ts';
import { followAct, readAccountAgain } from './read-again.ts';
import { sideText } from './side-text.ts';
import { type AmendChanges, type Amendment, useAmend } from './use-amend.ts';

async function amend(order: Order, changes: AmendChanges, password: string) {
  const secret = password === '' ? {} : { transaction_password: password };
  const input = { params: { id: order.id }, body: { ...changes, ...secret } };
  const untriggered = order.trigger?.status === 'untriggered';
  return untriggered ? call(amendConditionalOrder, input) : call(amendOrder, input);
}

function useAmendOrder(order: Order) {
  const queries = useQueryClient();
  const end = useAmend((store) => store.end);
  const [wrong, setWrong] = useState(false);
  const [unlocked, setUnlocked] = useState(isUnlocked);
  const mutation = useMutation({
    mutationFn: ({ changes, password }: { changes: AmendChanges; password: string }) => amend(order, changes, password),
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
      end();
    },
    onError: (error) => {
      noticeError(t('Not changed'), messageOf(error));
      readAccountAgain(queries);
      end();
    },
  });
  return { mutation, wrong, setWrong, unlocked, end };
}

export default function AmendDialog({ amendment }: { readonly amendment: Amendment }) {
  const { order, fromChart } = amendment;
  const { mutation, wrong, setWrong, unlocked, end } = useAmendOrder(order);
  const [changes, setChanges] = useState<AmendChanges>(amendment.changes);
  const [password, setPassword] = useState('');
  const [touched, setTouched] = useState(false);
  const real = realChanges(order, changes);
  const nothing = Object.keys(real).length === 0;
  const atOnce = useRef(fromChart && unlocked && usePreferences.getState().skipConfirmation && !nothing);
  const send = mutation.mutate;
  useEffect(() => {
    if (!atOnce.current) return;
    atOnce.current = false;
    send({ changes: real, password: '' });
  });
  const needsPassword = !unlocked && password === '';
  const confirm = () => {
    setTouched(true);
    if (!nothing && !needsPassword) mutation.mutate({ changes: real, password });
  };
  // Who skips confirmations sees the order change, and no dialog that comes and goes.
  if (fromChart && unlocked && usePreferences.getState().skipConfirmation) return null;
  return (
    <Modal opened onClose={end} size={400} title={t('Change order')}>
      <form
        className={classes.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <p className={classes.line}>{sideText(order)}</p>
        {amendLines(order).map(({ field, title, before }) => (
          <TextInput
            key={field}
            label={title}
            description={t('Now {{value}}', { value: localizeNumber(before) })}
            inputMode="decimal"
            autoComplete="off"
            value={changes[field] ?? before}
            onChange={({ currentTarget }) =>
              setChanges({
                ...changes,
                [field]: typedAmount(currentTarget.value, decimal(before).scale),
              })
            }
          />
        ))}
        {!unlocked && (
          <SecretInput
            label={t('Transaction password')}
            autoComplete="off"
            value={password}
            error={
              touched && password === ''
                ? t('Password is required')
                : wrong
                  ? t('Wrong transaction password')
                  : undefined
            }
            onChange={({ currentTarget }) => {
              setPassword(currentTarget.value);
              setWrong(false);
            }}
          />
        )}
        <Group grow>
          <Button variant="default" onClick={end}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={mutation.isPending} disabled={nothing}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
