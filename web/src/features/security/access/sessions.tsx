/** Where the account is signed in, and who signed in or tried to. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { endOtherSessions, endSession, type sessions, signInHistory } from '@cambist/contract/security.ts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { SECURITY_KEY } from '../../../lib/queries/account.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import { Loaded, Row, Section } from '../parts.tsx';
import { sessionsQuery } from '../queries.ts';
import { useAct } from '../use-act.ts';

type Session = AnswerOf<typeof sessions>['sessions'][number];
type Entry = AnswerOf<typeof signInHistory>['entries'][number];

const PAGE = 10;

const WAYS: Readonly<Record<Session['way'], string>> = {
  password: msg('Password'),
  google: msg('Google'),
  apple: msg('Apple'),
  wallet: msg('Wallet'),
  passkey: msg('Passkey'),
};

const OUTCOMES: Readonly<Record<Entry['outcome'], string>> = {
  success: msg('Logged in'),
  'wrong-password': msg('Wrong password'),
  'wrong-factor': msg('Wrong second factor'),
  frozen: msg('Account was frozen'),
  maintenance: msg('Maintenance'),
};

export function Sessions() {
  const list = useQuery(sessionsQuery);
  const end = useAct(
    (id: number) => call(endSession, { params: { id: String(id) } }),
    () => noticeSuccess(t('Success'), t('That device is logged out.')),
  );
  const endOthers = useAct(
    () => call(endOtherSessions, { body: {} }),
    () => noticeSuccess(t('Success'), t('All other devices are logged out.')),
  );
  return (
    <Section
      title={t('Devices and sessions')}
      aside={
        <Button variant="default" size="xs" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
          {t('Log out all other devices')}
        </Button>
      }
    >
      <Loaded query={list} rows={2}>
        {({ sessions: rows }) =>
          rows.map((session) => (
            <Row
              key={session.id}
              title={session.device}
              hint={`${session.place}, ${session.address}`}
              state={
                session.is_this
                  ? t('This device')
                  : t('Last used {{time}}', { time: formatDateTime(session.last_used_at) })
              }
            >
              {!session.is_this && (
                <Button variant="default" size="xs" disabled={end.isPending} onClick={() => end.mutate(session.id)}>
                  {t('Log out')}
                </Button>
              )}
            </Row>
          ))
        }
      </Loaded>
    </Section>
  );
}

/** On a phone they take several lines, or the table would be wider than it. */
const Words = ({ text }: { readonly text: string }) => <span className={classes.wraps}>{text}</span>;

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', title: msg('Time'), cell: ({ at }) => <Words text={formatDateTime(at)} /> },
  { id: 'outcome', title: msg('Result'), cell: ({ outcome }) => <Words text={t(OUTCOMES[outcome])} /> },
  { id: 'way', title: msg('Method'), wideOnly: true, cell: ({ way }) => t(WAYS[way]) },
  { id: 'device', title: msg('Device'), cell: ({ device }) => <Words text={device} /> },
  { id: 'place', title: msg('Location'), wideOnly: true, cell: ({ place }) => place },
  { id: 'address', title: msg('Address'), align: 'right', wideOnly: true, cell: ({ address }) => address },
];

export function History() {
  const history = useInfiniteQuery({
    queryKey: [...SECURITY_KEY, 'history'],
    queryFn: ({ signal, pageParam }) =>
      call(signInHistory, { query: { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
  return (
    <Section title={t('Login history')}>
      <Loaded query={history} rows={4}>
        {(entries) => (
          <DenseTable label={t('Login history')} columns={COLUMNS} rows={entries} rowKey={({ id }) => String(id)} />
        )}
      </Loaded>
      {history.hasNextPage && (
        <Button
          variant="subtle"
          size="xs"
          mt="xs"
          loading={history.isFetching}
          onClick={() => void history.fetchNextPage()}
        >
          {t('Show older')}
        </Button>
      )}
    </Section>
  );
}
