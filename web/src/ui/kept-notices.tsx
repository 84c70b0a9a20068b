/** Notices that stay in the panel that they belong to until they are dismissed. */
import { CloseButton } from '@mantine/core';
import { t } from '../lib/i18n.ts';
import classes from './kept-notices.module.css';

interface KeptNotice {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface KeptNoticesProps {
  readonly notices: readonly KeptNotice[];
  readonly onDismiss: (id: string) => void;
}

export function KeptNotices({ notices, onDismiss }: KeptNoticesProps) {
  return (
    // There before the first notice, so that screen readers announce each one.
    <div role="status">
      {notices.map(({ id, title, text }) => (
        <div key={id} className={classes.notice}>
          <strong>{title}</strong>
          <span translate="no">{text}</span>
          <CloseButton
            className={classes.dismiss ?? ''}
            size="sm"
            aria-label={t('Dismiss')}
            onClick={() => onDismiss(id)}
          />
        </div>
      ))}
    </div>
  );
}
