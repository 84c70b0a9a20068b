/** What stands under a history: its filter, and the same rows as a file. */

import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { ExportButton } from './export-button.tsx';
import { filterCount, type ListName, NO_FILTER, useHistoryFilters } from './history-filter.ts';
import classes from './orders.module.css';

const FilterDialog = lazyPart(() => import('./history-filter-dialog.tsx'), 'over');

export function HistoryTools({ list }: { readonly list: ListName }) {
  const filter = useHistoryFilters((store) => store[list]);
  const [isOpen, setOpen] = useState(false);
  const count = filterCount(filter);
  return (
    <div className={classes.tools}>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {count > 0 ? t('Filter ({{number}})', { number: count }) : t('Filter')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FilterDialog list={list} filter={filter} onDone={() => setOpen(false)} />
        </Suspense>
      )}
      <ExportButton list={list} filter={filter} />
    </div>
  );
}

export function ClearFilter({ list }: { readonly list: ListName }) {
  const change = useHistoryFilters((store) => store.change);
  return (
    <Button size="compact-sm" variant="default" onClick={() => change(list, NO_FILTER)}>
      {t('Clear filter')}
    </Button>
  );
}
