import type { Notification } from '@cambist/contract/notifications.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { listQuery } from '../../lib/queries/notifications.ts';
import { useTitle } from '../../lib/use-title.ts';
import { IconArrowDownCircle, IconArrowsExchange, IconHeadset, IconShieldLock } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './notifications-page.module.css';

const ICONS = {
  deposit: IconArrowDownCircle,
  security: IconShieldLock,
  support: IconHeadset,
  transfer: IconArrowsExchange,
} as const;

export function NotificationsPage() {
  useTitle(t('Notifications'));
  const list = useQuery(listQuery);
  return (
    <Page title={t('Notifications')} narrow>
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
            <Item key={notification.id} notification={notification} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Item({ notification }: { readonly notification: Notification }) {
  const { type, title, body, path, created_at: time } = notification;
  const Icon = ICONS[type];
  return (
    <li className={classes.item}>
      <Icon size={20} stroke={1.6} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <h2 className={classes.title}>{path ? <Link to={path}>{title}</Link> : title}</h2>
        <p className={classes.body}>{body}</p>
      </div>
      <time className={classes.time} dateTime={new Date(time).toISOString()}>
        {formatDateTime(time)}
      </time>
    </li>
  );
}
