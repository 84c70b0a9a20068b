import { type CoinPair, coinProfile } from '@cambist/contract/markets.ts';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatCompact, localizeNumber, withPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from './chart.module.css';
import { TradePie } from './trade-pie.tsx';

const HOUR_MS = 3_600_000;

export default function CoinOverview({ pair }: { readonly pair: CoinPair }) {
  const profile = useQuery({
    queryKey: ['coin-profile', pair.coin],
    queryFn: ({ signal }) => call(coinProfile, { query: { name: pair.coin }, signal }),
    staleTime: HOUR_MS,
  });
  if (profile.isLoadingError) return <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />;
  if (!profile.data) return <SkeletonRows rows={8} columns={2} />;
  const facts = profile.data.coin_profile;
  const compact = (value: string | null) => (value === null || value === '' ? t('N/A') : formatCompact(value));
  const dollars = (value: string | null) => (value === null || value === '' ? t('N/A') : `$${formatCompact(value)}`);
  const rows = [
    [t('Ranking'), facts.ranking === null ? t('N/A') : t('No. {{rank}}', { rank: facts.ranking })],
    [t('Market cap'), dollars(facts.market_cap)],
    [t('Market dominance'), facts.market_dominance ? withPercent(localizeNumber(facts.market_dominance)) : t('N/A')],
    [t('Circulating supply'), compact(facts.circulating_supply)],
    [t('Maximum supply'), compact(facts.max_supply)],
    [t('Total'), compact(facts.total_supply)],
    [t('Issue date'), facts.issue_date || t('N/A')],
    [t('Historical high'), dollars(facts.all_time_high)],
    [t('Historical low'), dollars(facts.all_time_low)],
  ] as const;
  return (
    // A long text scrolls inside the panel, so the panel can have the focus.
    <Box component="section" className={classes.overview ?? ''} aria-label={t('Overview')} tabIndex={0}>
      <h2 className={classes.heading}>
        <CoinIcon code={pair.coin} size={24} />
        {pair.name}
      </h2>
      <dl className={classes.profile}>
        {rows.map(([title, value]) => (
          <div key={title} className={classes.fact}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.intro}>{facts.intro || t('N/A')}</p>
      <TradePie pair={pair} />
    </Box>
  );
}
