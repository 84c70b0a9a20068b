/** Converts between USDT and a coin: at a quoted price, or by a limit order at the person's own ratio. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { useDraft } from '../../../lib/drafts.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { findPair, usePairs } from '../../../lib/market/pairs.ts';
import { minimumsQuery } from '../../../lib/queries/account.ts';
import { publicStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import type { CoinOption } from '../coin-select.tsx';
import { availableIn, heldFirst, useWallets, type WalletRead } from '../wallets.ts';
import classes from './convert.module.css';
import { type ConvertAction, type ConvertEntry, coinOf, convertReducer, MONEY, newEntry } from './convert-form.ts';
import { LimitForm } from './limit-form.tsx';
import { MarketForm } from './market-form.tsx';

const TABS = [
  { value: 'market', label: msg('Market') },
  { value: 'limit', label: msg('Limit') },
] as const;
type Tab = (typeof TABS)[number]['value'];

const DEFAULT_COIN = 'BTC';

export function ConvertPage() {
  useTitle(t('Convert'));
  const pairs = usePairs();
  const wallet = useWallets().SPOT;
  const isStale = useStale(publicStream);
  const failed = [pairs, wallet].find((query) => query.error && !query.data);
  return (
    <Page title={t('Convert')} actions={<BackButton />} narrow>
      {isStale && (
        <p className={classes.stale}>
          <StaleBadge />
        </p>
      )}
      <section className={classes.card} aria-label={t('Convert')}>
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : pairs.data && wallet.data ? (
          <ConvertPanel pairs={pairs.data} wallet={wallet} />
        ) : (
          <SkeletonRows rows={6} columns={2} />
        )}
      </section>
    </Page>
  );
}

/** Every coin that is traded against USDT, and USDT; what the person has comes first. */
function coinOptions(pairs: readonly CoinPair[], wallet: WalletRead): CoinOption[] {
  const traded = new Set([MONEY, ...pairs.map(({ coin }) => coin)]);
  return heldFirst(wallet.data ?? [])
    .filter(({ code }) => traded.has(code))
    .map(({ code, name }) => ({ code, name, aside: formatExact(availableIn(wallet, code)) }));
}

interface ConvertPanelProps {
  readonly pairs: readonly CoinPair[];
  readonly wallet: WalletRead;
}

interface Draft {
  readonly tab: Tab;
  readonly entry: ConvertEntry;
}

function useEntry(pairs: readonly CoinPair[]) {
  const [kept, keep] = useDraft<Draft | undefined>('conversion', undefined);
  const usual = findPair(pairs, DEFAULT_COIN) ?? pairs[0];
  const blank: Draft = { tab: 'market', entry: newEntry(usual?.coin ?? DEFAULT_COIN) };
  // Its coin may not be traded any more.
  const draftOf = (written: Draft | undefined) => (written && findPair(pairs, coinOf(written.entry)) ? written : blank);
  const change = (action: ConvertAction, tab?: Tab) =>
    keep((written) => {
      const draft = draftOf(written);
      return { tab: tab ?? draft.tab, entry: convertReducer(draft.entry, action) };
    });
  return { ...draftOf(kept), change };
}

function ConvertPanel({ pairs, wallet }: ConvertPanelProps) {
  const { tab, entry, change } = useEntry(pairs);
  const pair = findPair(pairs, coinOf(entry)) ?? pairs[0];
  const minimums = useQuery({ ...minimumsQuery(pair?.pair_name ?? ''), enabled: pair !== undefined });
  if (!pair) return <ErrorState error={undefined} />;
  const form = {
    pair,
    entry,
    dispatch: (action: ConvertAction) => change(action),
    coins: coinOptions(pairs, wallet),
    available: availableIn(wallet, entry.from),
    minimums: minimums.data?.price,
  };
  return (
    <>
      <Tabs
        label={t('Conversion type')}
        value={tab}
        options={TABS.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(next) => change({ kind: 'tab' }, next)}
      />
      <div role="tabpanel" aria-label={tab === 'market' ? t('Market') : t('Limit')} className={classes.panel}>
        {tab === 'market' ? <MarketForm {...form} /> : <LimitForm {...form} />}
      </div>
    </>
  );
}
