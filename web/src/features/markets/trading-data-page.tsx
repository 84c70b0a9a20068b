/** Every coin by its type: three columns side by side where there is room, tabs where there is not. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { searchPairs, terminalOf, usePairs } from '../../lib/market/pairs.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { MarketSearch } from './market-search.tsx';
import { MarketTabs } from './market-tabs.tsx';
import { PairChange, PairName, PairPrice } from './pair-cells.tsx';
import classes from './trading-data-page.module.css';

const ROWS = 20;
const TABS_BELOW = '(width < 68.75em)';

const GROUPS = [
  { type: 'MAIN', label: msg('Main coins') },
  { type: 'ETH', label: msg('Ethereum ecosystem') },
  { type: 'ALT', label: msg('Other coins') },
] as const;

type Group = (typeof GROUPS)[number];

const COLUMNS: readonly Column<CoinPair>[] = [
  { id: 'name', title: msg('Name'), cell: (pair) => <PairName pair={pair} /> },
  { id: 'price', title: msg('Price'), align: 'right', cell: (pair) => <PairPrice pair={pair} /> },
  { id: 'change', title: msg('24h Change'), align: 'right', cell: (pair) => <PairChange pair={pair} /> },
];

export function TradingDataPage() {
  useTitle(t('Trading data'));
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Group['type']>('MAIN');
  const tabs = useMediaQuery(TABS_BELOW) ?? false;
  const shown = tabs ? GROUPS.filter(({ type }) => type === chosen) : GROUPS;
  return (
    <Page title={t('Trading data')} actions={<MarketSearch value={search} onChange={setSearch} />}>
      <MarketTabs />
      {tabs && (
        <SegmentedControl
          fullWidth
          aria-label={t('Type of coin')}
          data={GROUPS.map(({ type, label }) => ({ value: type, label: t(label) }))}
          value={chosen}
          onChange={(type) => setChosen(type as Group['type'])}
        />
      )}
      <div className={classes.groups}>
        {shown.map((group) => (
          <GroupTable key={group.type} group={group} search={search} />
        ))}
      </div>
    </Page>
  );
}

function GroupTable({ group, search }: { readonly group: Group; readonly search: string }) {
  const pairs = usePairs();
  const navigate = useNavigate();
  const found = searchPairs(pairs.data ?? [], search).filter((pair) => pair.type === group.type);
  const { rows, page, count, setPage } = usePages(found, ROWS);
  return (
    <section className={classes.group} aria-label={t(group.label)}>
      <h2 className={classes.title}>{t(group.label)}</h2>
      {pairs.isPending && <SkeletonRows rows={ROWS} />}
      {pairs.isError && !pairs.data && <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />}
      {pairs.data && rows.length === 0 && <Empty title={t('No coins found')} />}
      {rows.length > 0 && (
        <DenseTable
          tall
          label={t(group.label)}
          columns={COLUMNS}
          rows={rows}
          rowKey={(pair) => pair.pair_name}
          onRowClick={(pair) => void navigate(terminalOf(pair.pair_name))}
        />
      )}
      <Pager page={page} count={count} onChange={setPage} />
    </section>
  );
}
