/** Steps through a list that is already here, page by page. */

import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './button.tsx';
import { IconChevronLeft, IconChevronRight } from './icons.ts';
import classes from './pager.module.css';

export function usePages<Row>(rows: readonly Row[], pageSize: number) {
  const [wanted, setPage] = useState(0);
  const count = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(wanted, count - 1);
  return { page, count, setPage, rows: rows.slice(page * pageSize, (page + 1) * pageSize) };
}

interface PagerProps {
  readonly page: number;
  readonly count: number;
  /** There are further pages than are here: turning beyond the last asks for them. */
  readonly hasMore?: boolean;
  readonly onChange: (page: number) => void;
}

export function Pager({ page, count, hasMore = false, onChange }: PagerProps) {
  if (count < 2 && !hasMore) return null;
  return (
    <nav className={classes.pager} aria-label={t('Pages')}>
      <IconButton size="sm" aria-label={t('Previous page')} disabled={page === 0} onClick={() => onChange(page - 1)}>
        <IconChevronLeft size={16} />
      </IconButton>
      <span>{t('{{page}} of {{total}}', { page: page + 1, total: hasMore ? `${count}+` : count })}</span>
      <IconButton
        size="sm"
        aria-label={t('Next page')}
        disabled={page === count - 1 && !hasMore}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={16} />
      </IconButton>
    </nav>
  );
}
