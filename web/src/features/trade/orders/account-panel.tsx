/** Open orders, histories and funds under the terminal. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import { signInPath } from '../../../lib/return-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { labelOf, Panel, Tabs } from '../../../ui/panel.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { Empty, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { useTerminal } from '../terminal.ts';
import { type AccountTab, type SpotTab, useAccountTab } from './account-tab.ts';
import classes from './orders.module.css';

/** Visitors have none of them. */
const AccountLists = lazyPart(() => import('./account-lists.tsx'));

/** The name of the list of open orders, with how many there are. */
export function useOpenOrdersLabel(): string {
  const signedIn = useSignedIn();
  const open = useQuery({ ...openOrdersQuery(useTerminal().market), enabled: signedIn });
  const count = signedIn ? (open.data?.orders.length ?? 0) : 0;
  return count > 0 ? t('Open orders ({{number}})', { number: count }) : t('Open orders');
}

export function AccountPanel() {
  const tabs = [
    { value: 'open', label: useOpenOrdersLabel() },
    { value: 'orders', label: t('Order history') },
    { value: 'trades', label: t('Trade history') },
    { value: 'funds', label: t('Funds') },
  ] as const;
  return <AccountTabs<SpotTab> tabs={tabs} Lists={AccountLists} />;
}

interface AccountTabsProps<Tab extends AccountTab> {
  /** The first one is open until another is chosen. */
  readonly tabs: readonly { readonly value: Tab; readonly label: string }[];
  readonly Lists: ComponentType<{ readonly tab: Tab }>;
}

export function AccountTabs<Tab extends AccountTab>({ tabs, Lists }: AccountTabsProps<Tab>) {
  const { tab: chosen, revealed, choose } = useAccountTab();
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (revealed > 0) heading.current?.scrollIntoView({ block: 'center' });
  }, [revealed]);
  const signedIn = useSignedIn();
  const stale = useStale(privateStream);
  const tab = (tabs.find(({ value }) => value === chosen) ?? tabs[0])?.value;
  if (tab === undefined) return null;
  return (
    <Panel
      label={t('Your account')}
      tab={labelOf(tabs, tab)}
      className={classes.panel}
      heading={
        <div ref={heading}>
          <Tabs<Tab> label={t('Your lists')} value={tab} options={tabs} onChange={choose} />
        </div>
      }
      aside={signedIn && stale && <StaleBadge />}
    >
      <Suspense fallback={<SkeletonRows rows={6} columns={6} />}>
        {signedIn ? <Lists tab={tab} /> : <Visitor />}
      </Suspense>
    </Panel>
  );
}

function Visitor() {
  const { pathname, search } = useLocation();
  return (
    <Empty
      title={t('Log in to trade and to see your orders and funds.')}
      action={
        <Button component={Link} to={signInPath(pathname + search)} size="compact-md">
          {t('Log in')}
        </Button>
      }
    />
  );
}
