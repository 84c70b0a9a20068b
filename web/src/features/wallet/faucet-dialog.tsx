/** Development only: funds without a chain. */

import { faucet } from '@cambist/contract/development.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { decimal } from '../../lib/decimal.ts';
import { localizeNumber } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { spotWalletQuery } from '../../lib/queries/account.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { NumberField } from '../../ui/number-field.tsx';
import classes from './wallet-page.module.css';

/** Decimals of the ledger's finest coin; one with fewer says so when it refuses. */
const LEDGER_SCALE = 9;

interface FaucetDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function FaucetDialog({ opened, onClose }: FaucetDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Get development funds')}>
      <FaucetForm onDone={onClose} />
    </Dialog>
  );
}

function FaucetForm({ onDone }: { readonly onDone: () => void }) {
  const queries = useQueryClient();
  const wallet = useQuery(spotWalletQuery);
  const coins = wallet.data?.wallet.map((coin) => coin.name) ?? ['USDT'];
  const form = useForm({
    initialValues: { coin: 'USDT', amount: '10000' },
    validate: {
      amount: (amount) => (decimal(amount).units > 0n ? null : t('Amount is required')),
    },
  });
  const give = useMutation({
    mutationFn: (body: { coin: string; amount: string }) => call(faucet, { body }),
    onError: (error) => noticeError(t('Error!'), messageOf(error)),
    onSuccess: (_, { coin, amount }) => {
      noticeSuccess(
        t('Success'),
        t('{{amount}} {{coin}} is in your spot wallet', { amount: localizeNumber(amount), coin }),
      );
      void queries.invalidateQueries({ queryKey: ['account'] });
      onDone();
    },
  });
  return (
    <form className={classes.form} onSubmit={form.onSubmit((values) => give.mutate(values), toFirstError)} noValidate>
      <NativeSelect
        label={t('Coin')}
        data={coins.includes('USDT') ? coins : ['USDT', ...coins]}
        {...form.getInputProps('coin')}
      />
      <NumberField
        label={t('Amount')}
        scale={LEDGER_SCALE}
        steps={false}
        value={form.values.amount}
        error={form.errors.amount as string | undefined}
        onChange={(amount) => form.setFieldValue('amount', amount)}
      />
      <Button type="submit" loading={give.isPending}>
        {t('Add to spot wallet')}
      </Button>
    </form>
  );
}
