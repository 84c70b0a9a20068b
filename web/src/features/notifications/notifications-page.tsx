import { type Notification, readAllNotifications } from '@cambist/contract/notifications.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { listQuery, NOTIFICATIONS_KEY } from '../../lib/queries/notifications.ts';
import { useSession } from '../../lib/session-store.ts';
import { useShell } from '../../lib/shell-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { IconAlertTriangle, IconHeadset } from '../../ui/first-icons.ts';
import { IconArrowDownCircle, IconArrowsExchange, IconArrowUpCircle, IconShieldLock } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/panel.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './notifications-page.module.css';
import { AlertList, FillList, marksQuery, useFills, useTriggerings } from './trade-lists.tsx';

const ICONS = {
  deposit: IconArrowDownCircle,
  funding: IconArrowsExchange,
  futures: IconAlertTriangle,
  orders: IconAlertTriangle,
  security: IconShieldLock,
  support: IconHeadset,
  transfer: IconArrowsExchange,
  withdrawal: IconArrowUpCircle,
} as const;

const LISTS = ['all', 'fills', 'alerts'] as const;
type ListName = (typeof LISTS)[number];

export function NotificationsPage() {
  useTitle(t('Notifications'));
  const [search, setSearch] = useSearchParams();
  // Operators have no orders.
  const isOperator = useSession((session) => session.client?.role) === 'operator';
  const list = (!isOperator && LISTS.find((name) => name === search.get('list'))) || 'all';
  const choose = (name: ListName) => setSearch(name === 'all' ? {} : { list: name }, { replace: true });
  return (
    <Page title={t('Notifications')} narrow>
      {!isOperator && <Lists chosen={list} onChoose={choose} />}
      {list === 'all' && <Messages />}
      {list === 'fills' && <FillList />}
      {list === 'alerts' && <AlertList />}
    </Page>
  );
}

interface ListsProps {
  readonly chosen: ListName;
  readonly onChoose: (name: ListName) => void;
}

function Lists({ chosen, onChoose }: ListsProps) {
  const marks = useQuery(marksQuery).data?.marks;
  const newest = { fills: useFills().rows?.[0]?.id, alerts: useTriggerings().rows?.[0]?.id };
  const isNew = (list: 'fills' | 'alerts') => marks !== undefined && Number(newest[list] ?? 0) > Number(marks[list]);
  const label = (list: 'fills' | 'alerts', name: string) => (
    <>
      {name} {isNew(list) && <span className={classes.fresh}>{t('New')}</span>}
    </>
  );
  return (
    <div className={classes.tabs}>
      <Tabs
        label={t('Notifications')}
        value={chosen}
        options={[
          { value: 'all', label: t('Messages') },
          { value: 'fills', label: label('fills', t('Fills')) },
          { value: 'alerts', label: label('alerts', t('Alerts')) },
        ]}
        onChange={onChoose}
      />
    </div>
  );
}

/** What was unread when it was listed stays marked as new until the list is left; the server knows it as read. */
function useReading(list: readonly Notification[] | undefined): ReadonlySet<number> {
  const queries = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  const unread = list?.filter(({ status }) => status === 0).map(({ id }) => id) ?? [];
  if (unread.some((id) => !fresh.has(id))) setFresh(new Set([...fresh, ...unread]));
  const until = unread[0];
  useEffect(() => {
    if (until === undefined) return;
    call(readAllNotifications, { query: { until } })
      .then(() => queries.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }))
      .catch((error: unknown) => console.error('The notifications could not be marked read', error));
  }, [until, queries]);
  return fresh;
}

function Messages() {
  const list = useQuery(listQuery);
  const fresh = useReading(list.data?.notifications);
  return (
    <>
      {list.isPending && <SkeletonRows rows={6} columns={2} />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.notifications.length === 0 && (
        <Empty
          title={t('No notifications yet')}
          action={
            <Button component={Link} to="/profile" variant="default">
              {t('Back to account')}
            </Button>
          }
        />
      )}
      {list.data && list.data.notifications.length > 0 && (
        <ul className={classes.list}>
          {list.data.notifications.map((notification) => (
            <Item key={notification.id} notification={notification} isNew={fresh.has(notification.id)} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Leads to what the notification is about. The support's answer is in the chat, which has no address of its own. */
function Title({ notification: { type, title, path } }: { readonly notification: Notification }) {
  const setChatOpen = useShell((shell) => shell.setChatOpen);
  if (path) return <Link to={path}>{title}</Link>;
  if (type !== 'support') return title;
  return (
    <button type="button" className={classes.open} onClick={() => setChatOpen(true)}>
      {title}
    </button>
  );
}

interface ItemProps {
  readonly notification: Notification;
  readonly isNew: boolean;
}

function Item({ notification, isNew }: ItemProps) {
  const { type, body, created_at: time } = notification;
  const Icon = ICONS[type];
  return (
    <li className={classes.item}>
      <Icon size={20} stroke={1.6} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <h2 className={classes.title}>
          <Title notification={notification} /> {isNew && <span className={classes.fresh}>{t('New')}</span>}
        </h2>
        <p className={classes.body}>{body}</p>
      </div>
      <time className={classes.time} dateTime={new Date(time).toISOString()}>
        {formatDateTime(time)}
      </time>
    </li>
  );
}
