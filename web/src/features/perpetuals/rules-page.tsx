/** The rules of perpetuals, each with what it comes to for one position whose numbers the reader may change. */

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { Select } from '../../ui/select.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { ExampleFields } from './example-fields.tsx';
import { Frame, type Perpetual, perpetualsQuery } from './frame.tsx';
import classes from './perpetuals.module.css';
import { RuleSections } from './rule-sections.tsx';
import { useExample } from './use-example.ts';

export function RulesPage() {
  const list = useQuery(perpetualsQuery);
  const [search, setSearch] = useSearchParams();
  const all = list.data?.perpetuals ?? [];
  const chosen = all.find(({ pair_name: name }) => name === search.get('pair')) ?? all[0];
  return (
    <Frame title={t('Futures rules')}>
      <p className={classes.text}>
        {t(
          'What follows is computed in your browser by the very functions that the exchange decides with. Change the numbers and see what each rule makes of them.',
        )}
      </p>
      {list.isPending && <SkeletonRows rows={12} columns={2} />}
      {list.isLoadingError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !chosen && <Empty title={t('No perpetual is listed.')} />}
      {chosen && (
        <Rules
          key={chosen.pair_name}
          perpetual={chosen}
          choice={
            <Select
              label={t('Pair')}
              allowDeselect={false}
              searchable
              data={all.map(({ pair_name: name }) => name)}
              value={chosen.pair_name}
              onChange={(pair) => setSearch(pair ? { pair } : {}, { replace: true, preventScrollReset: true })}
            />
          }
        />
      )}
    </Frame>
  );
}

function Rules({ perpetual, choice }: { readonly perpetual: Perpetual; readonly choice: ReactNode }) {
  const state = useExample(perpetual);
  return (
    <>
      <section className={classes.section} aria-label={t('Your example')}>
        <h2 className={classes.title}>{t('Your example')}</h2>
        <ExampleFields perpetual={perpetual} state={state} choice={choice} />
      </section>
      <RuleSections perpetual={perpetual} state={state} />
    </>
  );
}
