/** Mails and text messages that every attempt has failed to send. */
import { retryMessage, unsentMessages } from '@cambist/contract/operations.ts';
import { Alert, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';

const POLL_MS = 15_000;
const PAGE = 20;

export function UnsentMessages() {
  const list = useInfiniteQuery({
    queryKey: [...ADMIN_KEY, 'outbox'],
    queryFn: ({ signal, pageParam }) => call(unsentMessages, { signal, query: { limit: PAGE, ...pageParam } }),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ messages }) => (messages.length < PAGE ? undefined : { before: messages.at(-1)?.id ?? '0' }),
    refetchInterval: every(POLL_MS),
  });
  const messages = list.data?.pages.flatMap((page) => page.messages);
  const retry = useAct((id: string) => call(retryMessage, { params: { id } }));
  return (
    <Section title={t('Unsent messages')}>
      {list.isPending && <SkeletonRows rows={2} columns={2} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {messages?.length === 0 && <p className={classes.quiet}>{t('None. All emails and text messages were sent.')}</p>}
      {messages?.map(({ id, kind, recipient, attempts, error, created_at, can_retry }) => (
        <Alert key={id} mb="xs" color={can_retry ? 'red' : 'gray'} title={`${kind} · ${recipient}`}>
          <p className={classes.quiet}>
            {t('{{count}} attempts, {{time}}', { count: attempts, time: formatDateTime(created_at) })}
            {error && `: ${error}`}
          </p>
          {can_retry ? (
            <Button
              mt="xs"
              size="compact-sm"
              variant="default"
              loading={retry.isPending && retry.variables === id}
              onClick={() => retry.mutate(id)}
            >
              {t('Send again')}
            </Button>
          ) : (
            <p className={classes.quiet}>{t('Too late to send.')}</p>
          )}
        </Alert>
      ))}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Section>
  );
}
