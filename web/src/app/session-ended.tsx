/** Says that the session ended, when the person did not end it: what is on screen and what was typed stays. */
import { Button, CloseButton } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { t } from '../lib/i18n.ts';
import { LOGOUT_KEY } from '../lib/queries/account.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { placedNotice } from '../ui/notice-place.ts';
import classes from './session-ended.module.css';

export function SessionEnded() {
  const ended = useSession((session) => session.ended);
  const { pathname, search } = useLocation();
  // A logout ends the session on the server first, and on this page a moment later.
  const isLeaving = useIsMutating({ mutationKey: LOGOUT_KEY }) > 0;
  if (!ended || isLeaving) return null;
  return (
    <div ref={placedNotice} className={classes.notice} role="alert" data-keep-clear>
      <span>{t('Your session has ended. Log in again.')}</span>
      {!pathname.startsWith('/sign') && (
        <Button component={Link} to={signInPath(pathname + search)} size="compact-sm">
          {t('Log in')}
        </Button>
      )}
      <CloseButton size="sm" aria-label={t('Dismiss')} onClick={() => useSession.setState({ ended: false })} />
    </div>
  );
}
