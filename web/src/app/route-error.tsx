/** The last net: a screen that threw, or a chunk that a new release has replaced. */

import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { t } from '../lib/i18n.ts';
import { useOnline } from '../lib/online.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import classes from './layout.module.css';
import { OfflinePage } from './offline.tsx';
import { useAppearance } from './use-appearance.ts';

function isChunkError(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message);
}

export function RouteError() {
  const error = useRouteError();
  const online = useOnline();
  useAppearance(undefined);
  // What failed for want of a connection is simply tried again with one.
  const [failedOffline] = useState(!online);
  useEffect(() => {
    if (failedOffline && online) window.location.reload();
  }, [failedOffline, online]);
  if (failedOffline) {
    return (
      <div className={classes.shell}>
        <OfflinePage />
      </div>
    );
  }
  const text = isChunkError(error)
    ? t('A newer version is available. Reload to continue.')
    : t('This screen failed to load. Reloading usually helps. Your orders and funds are not affected.');
  return (
    <div style={{ minHeight: '60dvh', display: 'grid' }}>
      <Empty title={text} action={<Button onClick={() => window.location.reload()}>{t('Reload')}</Button>} />
    </div>
  );
}
