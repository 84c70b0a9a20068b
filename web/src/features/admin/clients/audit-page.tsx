import { auditLog } from '@cambist/contract/admin-clients.ts';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY } from '../use-act.ts';
import { AuditTable } from './client-tables.tsx';

const PAGE = 100;

export function AuditPage() {
  const log = useInfiniteQuery({
    queryKey: [...ADMIN_KEY, 'audit'],
    queryFn: ({ pageParam, signal }) =>
      call(auditLog, { query: { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  });
  return (
    <Console title={t('Audit log')}>
      <Section title={t('What operators did, newest first. It cannot be changed.')}>
        {log.isPending && <SkeletonRows rows={12} columns={5} />}
        {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
        {log.data && <AuditTable entries={log.data.pages.flatMap((page) => page.entries)} />}
        {log.hasNextPage && (
          <Button variant="default" mt="md" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('Show more')}
          </Button>
        )}
      </Section>
    </Console>
  );
}
