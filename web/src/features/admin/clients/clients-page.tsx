import { findClients } from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { Badge, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatDate, formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { IconSearch } from '../../../ui/icons.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY } from '../use-act.ts';

type Client = AnswerOf<typeof findClients>['clients'][number];

const TYPING_MS = 250;
const PAGE = 50;

const COLUMNS: readonly Column<Client>[] = [
  {
    id: 'email',
    title: msg('Email'),
    cell: (client) => <Link to={`/admin/clients/${client.id}`}>{client.email}</Link>,
  },
  { id: 'uid', title: msg('UID'), cell: (client) => client.user_unique_id },
  { id: 'phone', title: msg('Phone'), wideOnly: true, cell: (client) => client.mobile_number || '–' },
  { id: 'status', title: msg('State'), cell: (client) => <ClientState status={client.status} role={client.role} /> },
  { id: 'since', title: msg('Since'), wideOnly: true, cell: (client) => formatDate(client.created_at) },
  {
    id: 'seen',
    title: msg('Last login'),
    align: 'right',
    wideOnly: true,
    cell: (client) => (client.last_sign_in_at === null ? '–' : formatDateTime(client.last_sign_in_at)),
  },
];

export function ClientState({ status, role }: Pick<Client, 'status' | 'role'>) {
  const frozen = status === 'FREEZE_ACCOUNT';
  return (
    <Badge variant="light" color={frozen ? 'red' : 'teal'} tt="none" miw="max-content">
      {frozen ? t('Frozen') : role === 'operator' ? t('Operator') : t('Active', { context: 'client' })}
    </Badge>
  );
}

function useClients(search: string) {
  return useInfiniteQuery({
    queryKey: [...ADMIN_KEY, 'clients', search],
    queryFn: ({ pageParam, signal }) =>
      call(findClients, { query: { search, limit: PAGE, ...(pageParam ? { before: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  });
}

export function ClientsPage() {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), TYPING_MS);
  const found = useClients(wanted);
  const clients = found.data?.pages.flatMap((page) => page.clients) ?? [];
  return (
    <Console
      title={t('Clients')}
      actions={
        <TextInput
          aria-label={t('Find a client')}
          placeholder={t('Email, phone, UID or ID')}
          leftSection={<IconSearch size={16} aria-hidden />}
          w={280}
          maw="100%"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      <Section title={t('Clients')}>
        {found.isPending && <SkeletonRows rows={10} columns={5} />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && clients.length === 0 && <Empty title={t('No matching client.')} />}
        {clients.length > 0 && (
          <DenseTable
            tall
            label={t('Clients')}
            columns={COLUMNS}
            rows={clients}
            rowKey={(client) => String(client.id)}
            onRowClick={(client) => void navigate(`/admin/clients/${client.id}`)}
          />
        )}
        {found.hasNextPage && (
          <Button
            variant="default"
            mt="md"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t('Show more')}
          </Button>
        )}
      </Section>
    </Console>
  );
}
