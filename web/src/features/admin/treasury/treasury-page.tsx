/** What leaves and what is kept: approvals, chains and hot wallets, rules and figures, and deposits that were not credited. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { msg, t } from '../../../lib/i18n.ts';
import { Tabs } from '../../../ui/panel.tsx';
import { Console } from '../console.tsx';
import { ChainsTab } from './chains-tab.tsx';
import { HotColdTab } from './hot-cold-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import own from './treasury.module.css';
import { withdrawalsQuery } from './treasury-queries.ts';
import { UnlistedTab } from './unlisted-tab.tsx';
import { WithdrawalsTab } from './withdrawals-tab.tsx';

const TABS = [
  { value: 'withdrawals', label: msg('Withdrawals') },
  { value: 'chains', label: msg('Chains') },
  { value: 'hot-cold', label: msg('Hot and cold') },
  { value: 'rules', label: msg('Rules') },
  { value: 'unlisted', label: msg('Uncredited deposits') },
] as const;
type Tab = (typeof TABS)[number]['value'];

export function TreasuryPage() {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'withdrawals';
  const waiting = useInfiniteQuery(withdrawalsQuery('APPROVAL')).data?.pages[0]?.waiting ?? 0;
  return (
    <Console title={t('Treasury')}>
      <div className={own.tabs}>
        <Tabs<Tab>
          label={t('Treasury')}
          value={tab}
          options={TABS.map(({ value, label }) => ({
            value,
            label: value === 'withdrawals' && waiting > 0 ? `${t(label)} (${waiting})` : t(label),
          }))}
          onChange={(next) => setSearch(next === 'withdrawals' ? {} : { tab: next }, { replace: true })}
        />
      </div>
      {tab === 'withdrawals' && <WithdrawalsTab />}
      {tab === 'chains' && <ChainsTab />}
      {tab === 'hot-cold' && <HotColdTab />}
      {tab === 'rules' && <RulesTab />}
      {tab === 'unlisted' && <UnlistedTab />}
    </Console>
  );
}
