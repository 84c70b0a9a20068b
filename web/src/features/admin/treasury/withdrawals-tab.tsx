/** Withdrawals that need an approval, and all of them by stage. */
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { Badge, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decimal } from '../../../lib/decimal.ts';
import { endsOf } from '../../../lib/ends-of.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { Select } from '../../../ui/select.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { REASONS, STAGES } from './review-words.ts';
import own from './treasury.module.css';
import { type Reviewed, withdrawalsQuery } from './treasury-queries.ts';

type Open = (withdrawal: Reviewed) => void;

const amountOf = ({ withdraw_amount: amount, coin }: Reviewed) => `${formatExact(decimal(amount))} ${coin}`;

const worth: ListColumn<Reviewed> = {
  id: 'worth',
  title: msg('Worth (USDT)'),
  align: 'right',

  cell: ({ worth_usdt: value }) => formatDecimal(value, 2),
};
const time: ListColumn<Reviewed> = {
  id: 'time',
  title: msg('Time'),

  cell: ({ date }) => formatDateTime(date),
};
const client: ListColumn<Reviewed> = {
  id: 'client',
  title: msg('Client'),
  cell: ({ client: { email, unique_id: uid } }) => email || uid,
};
const amount: ListColumn<Reviewed> = {
  id: 'amount',
  title: msg('Amount'),
  align: 'right',
  card: 'head',
  cell: amountOf,
};

const review = (open: Open, text: string): ListColumn<Reviewed> => ({
  id: 'review',
  title: <HiddenText text={msg('Review')} />,
  align: 'right',
  pinned: true,
  card: 'corner',
  cell: (row) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('Review {{amount}} of {{client}}', { amount: amountOf(row), client: row.client.email })}
      onClick={() => open(row)}
    >
      {t(text)}
    </Button>
  ),
});

const waitingColumns = (open: Open): readonly ListColumn<Reviewed>[] => [
  time,
  client,
  amount,
  worth,
  {
    id: 'reasons',
    title: msg('Why'),

    cell: ({ reasons }) =>
      reasons.length === 0
        ? '–'
        : reasons.map((reason) => (
            <span key={reason} className={own.reason}>
              {t(REASONS[reason])}
            </span>
          )),
  },
  {
    id: 'approvals',
    title: msg('Approvals'),
    align: 'right',
    cell: ({ approvals, approvals_required: required }) => `${approvals.length}/${required}`,
  },
  review(open, msg('Review')),
];

const allColumns = (open: Open): readonly ListColumn<Reviewed>[] => [
  time,
  client,
  amount,
  worth,
  {
    id: 'to',
    title: msg('Address'),

    cell: ({ withdraw_address: address, is_internal: isInternal, network }) => (
      <span title={address}>
        {isInternal ? t('Internal') : network} · {endsOf(address)}
      </span>
    ),
  },
  { id: 'stage', title: msg('Stage'), cell: ({ stage }) => <Stage stage={stage} /> },
  review(open, msg('Details')),
];

const COLORS: Readonly<Partial<Record<WithdrawalStage, string>>> = {
  APPROVAL: 'yellow',
  SETTLED: 'teal',
  REFUSED: 'red',
  FAILED: 'red',
  CANCELLED: 'gray',
};

function Stage({ stage }: { readonly stage: WithdrawalStage }) {
  return (
    <Badge variant="light" color={COLORS[stage] ?? 'accent'} tt="none" miw="max-content">
      {t(STAGES[stage], { context: 'withdrawal' })}
    </Badge>
  );
}

export function WithdrawalsTab() {
  const [stage, setStage] = useState<WithdrawalStage | ''>('');
  const [opened, setOpened] = useState<Reviewed>();
  return (
    <>
      <Section title={t('Waiting for approval')}>
        <List stage="APPROVAL" columns={waitingColumns(setOpened)} empty={t('Nothing waits for approval.')} />
      </Section>
      <Section title={t('All withdrawals')}>
        <Select
          className={own.filter ?? ''}
          aria-label={t('Stage')}
          allowDeselect={false}
          data={[
            { value: '', label: t('All stages') },
            ...Object.entries(STAGES).map(([value, label]) => ({ value, label: t(label, { context: 'withdrawal' }) })),
          ]}
          value={stage}
          onChange={(value) => setStage((value ?? '') as WithdrawalStage | '')}
        />
        <List stage={stage || undefined} columns={allColumns(setOpened)} empty={t('Nothing here.')} />
      </Section>
      {opened && <ReviewDialog withdrawal={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

interface ListProps {
  readonly stage: WithdrawalStage | undefined;
  readonly columns: readonly ListColumn<Reviewed>[];
  readonly empty: string;
}

function List({ stage, columns, empty }: ListProps) {
  const list = useInfiniteQuery(withdrawalsQuery(stage));
  const rows = list.data?.pages.flatMap((page) => page.withdrawals) ?? [];
  const label = stage === 'APPROVAL' ? t('Waiting for approval') : t('All withdrawals');
  return (
    <>
      {list.isPending && <SkeletonRows rows={3} columns={5} />}
      {list.isError && rows.length === 0 && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && <p className={classes.quiet}>{empty}</p>}
      {rows.length > 0 && <RowList label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      {list.hasNextPage && (
        <Button
          mt="sm"
          size="compact-sm"
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('Show more')}
        </Button>
      )}
    </>
  );
}
