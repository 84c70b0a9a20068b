/** Steps through a list that is already here, page by page. */

import { useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './button.tsx';
import { IconChevronLeft, IconChevronRight } from './first-icons.ts';

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

/** Where a page is longer than the window, as on a phone, the next one is read from its beginning as well. */
function showBeginning(pager: HTMLElement | null): void {
  const list = pager?.closest('section, [role="dialog"], main');
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' });
}

export function Pager({ page, count, hasMore = false, onChange }: PagerProps) {
  const pager = useRef<HTMLElement>(null);
  const turnTo = (next: number) => {
    onChange(next);
    showBeginning(pager.current);
  };
  if (count < 2 && !hasMore) return null;
  return (
    <nav ref={pager} className={classes.pager} aria-label={t('Pages')}>
      <IconButton size="sm" aria-label={t('Previous page')} disabled={page === 0} onClick={() => turnTo(page - 1)}>
        <IconChevronLeft size={16} />
      </IconButton>
      <span>{t('{{page}} of {{total}}', { page: page + 1, total: hasMore ? `${count}+` : count })}</span>
      <IconButton
        size="sm"
        aria-label={t('Next page')}
        disabled={page === count - 1 && !hasMore}
        onClick={() => turnTo(page + 1)}
      >
        <IconChevronRight size={16} />
      </IconButton>
    </nav>
  );
}
