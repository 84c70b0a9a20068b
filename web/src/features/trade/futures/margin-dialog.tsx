/** Adds to the margin of an isolated position, or takes out what its leverage does not need. */
import { changeMargin, type FuturesPosition } from '@cambist/contract/futures.ts';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import {
  add,
  compare,
  type Decimal,
  decimal,
  parseDecimal,
  subtract,
  toShortText,
  toText,
} from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { liquidationWithMargin } from '../../../lib/futures/figures.ts';
import { useFutures } from '../../../lib/futures/positions.ts';
import { unitsOf } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useIsShown } from '../../../ui/is-shown.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Segments } from '../../../ui/panel.tsx';
import { noticeError, noticeSuccess } from '../notices.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { Lines } from './close-dialog.tsx';

interface MarginDialogProps {
  readonly position: FuturesPosition;
  readonly onClose: () => void;
}

type Way = 'add' | 'take';

const DIGITS = 2;

function useChangeMargin(position: FuturesPosition, onDone: () => void) {
  const { pair_name: symbol } = position.coin_pair;
  const { position_side } = position;
  const isShown = useIsShown();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (amount: string) =>
      sendOnce(`margin ${position.id}`, (idempotencyKey) =>
        call(changeMargin, { body: { symbol, amount, position_side }, idempotencyKey }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: accountKeys.positions });
      noticeSuccess(t('Success'), t('The margin of {{pair}} was changed.', { pair: symbol }));
      if (isShown()) onDone();
    },
    onError: (error) => noticeError(titleOf(error, t('Not changed')), messageOf(error)),
  });
}

const priceOf = (price: Decimal | undefined) => (price === undefined ? '–' : formatDecimal(price, price.scale));

/** Where the position is liquidated now and afterwards, as the ticket estimates it; undefined while its figures are missing. */
function useLiquidation({ id }: FuturesPosition, change: Decimal): string | undefined {
  const known = useFutures().all?.find(({ shown }) => shown.id === id);
  if (!known) return undefined;
  const [before, after] = [0n, unitsOf(toText(change))].map((units) => priceOf(liquidationWithMargin(known, units)));
  return `${before} → ${after}`;
}

export function MarginDialog({ position, onClose }: MarginDialogProps) {
  const { pair_name: symbol } = position.coin_pair;
  const free = useFutures().live?.account.free;
  const [way, setWay] = useState<Way>('add');
  const [entered, setEntered] = useState('');
  const [tried, setTried] = useState(false);
  const change = useChangeMargin(position, onClose);
  const amount = parseDecimal(entered);
  const isMissing = !amount || amount.units <= 0n;
  const isTooMuch = !isMissing && way === 'add' && free !== undefined && compare(amount, decimal(free)) > 0;
  const problem = isMissing
    ? t('Amount is required')
    : isTooMuch
      ? t('Insufficient balance ({{balance}})', { balance: `${formatDecimal(free, DIGITS)} USDT` })
      : undefined;
  const before = decimal(position.margin);
  const after = isMissing ? before : way === 'add' ? add(before, amount) : subtract(before, amount);
  const liquidation = useLiquidation(position, subtract(after, before));
  const lines = [
    { title: t('Margin'), value: `${formatDecimal(before, DIGITS)} → ${formatDecimal(after, DIGITS)} USDT` },
    ...(liquidation === undefined ? [] : [{ title: t('Est. liquidation price'), value: liquidation }]),
    { title: t('Available'), value: free === undefined ? '–' : `${formatDecimal(free, DIGITS)} USDT` },
  ];
  return (
    <Dialog onClose={onClose} size={380} title={t('Margin of {{pair}}', { pair: symbol })}>
      <form
        className={ticketClasses.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!amount || problem) return;
          const text = toShortText(amount);
          change.mutate(way === 'add' ? text : `-${text}`);
        }}
      >
        <Segments<Way>
          label={t('Change')}
          value={way}
          options={[
            { value: 'add', label: t('Add') },
            { value: 'take', label: t('Reduce') },
          ]}
          onChange={setWay}
        />
        <NumberField
          label={t('Amount')}
          value={entered}
          scale={DIGITS}
          unit="USDT"
          autoFocusInDialog
          error={tried ? problem : undefined}
          onChange={setEntered}
        />
        <Lines lines={lines} />
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
