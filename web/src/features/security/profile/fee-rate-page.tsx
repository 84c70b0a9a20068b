/** Fees at the person's level, and beside them what verification would change: the address has both names. */
import { feeTiers } from '@cambist/contract/exchange-figures.ts';
import { perpetuals } from '@cambist/contract/perpetuals.ts';
import { Badge, Button, Tabs } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatDecimal, withPercent } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { usePairs } from '../../../lib/market/pairs.ts';
import { minimumsQuery } from '../../../lib/queries/account.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { Page } from '../../../ui/page.tsx';
import classes from '../parts.module.css';
import { Loaded, Row, Section } from '../parts.tsx';
import { summaryQuery } from '../queries.ts';
import { type FeeGroup, feeGroups } from './futures-fees.ts';
import { Limits } from './limits.tsx';
import { AccountSummary, StatusChip, type Summary } from './summary.tsx';

const perpetualsQuery = queryOptions({
  queryKey: ['perpetuals'],
  queryFn: ({ signal }) => call(perpetuals, { signal }),
});

const percentText = (percent: string) => withPercent(formatDecimal(percent, 4, 2));

export function FeeRatePage() {
  useTitle(t('Fee Rates'));
  const summary = useQuery(summaryQuery);
  return (
    <Page title={t('Fee Rates')}>
      <Loaded query={summary} rows={6}>
        {(data) => (
          <Tabs defaultValue="fees">
            <Tabs.List mb="md">
              <Tabs.Tab value="fees">{t('Fee Rates')}</Tabs.Tab>
              <Tabs.Tab value="kyc">{t('KYC')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="fees">
              <AccountSummary summary={data} />
              <Fees level={data.vip_level} />
              <FuturesFees />
              <Tiers own={data.vip_level} />
              <Limits />
            </Tabs.Panel>
            <Tabs.Panel value="kyc">
              <Verification status={data.account_status} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  );
}

function Fees({ level }: { readonly level: number }) {
  // Every pair of the exchange has the same fees.
  const pair = usePairs().data?.[0]?.pair_name;
  const fees = useQuery({ ...minimumsQuery(pair ?? ''), enabled: pair !== undefined });
  return (
    <Section title={t('Spot trading at VIP {{level}}', { level })}>
      <Loaded query={fees} rows={3}>
        {({ price }) => (
          <>
            <Row
              title={t('Maker')}
              hint={t('An order that rests in the book until it is filled.')}
              state={percentText(price.maker_fee_percent)}
            />
            <Row
              title={t('Taker')}
              hint={t('An order that fills against the book.')}
              state={percentText(price.taker_fee_percent)}
            />
            <p className={classes.note}>{t('Charged in the coin you receive and shown before you confirm.')}</p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface Tier {
  readonly level: number;
  readonly maker_fee_percent: string;
  readonly taker_fee_percent: string;
  readonly isOwn: boolean;
}

const TIER_COLUMNS: readonly Column<Tier>[] = [
  {
    id: 'level',
    title: msg('VIP level'),
    cell: ({ level, isOwn }) => (
      <>
        VIP {level}{' '}
        {isOwn && (
          <Badge variant="light" tt="none" fw={500}>
            {t('Your level')}
          </Badge>
        )}
      </>
    ),
  },
  { id: 'maker', title: msg('Maker'), align: 'right', cell: (tier) => percentText(tier.maker_fee_percent) },
  { id: 'taker', title: msg('Taker'), align: 'right', cell: (tier) => percentText(tier.taker_fee_percent) },
];

/** What every level pays, with the own one marked. */
function Tiers({ own }: { readonly own: number }) {
  const tiers = useQuery({ queryKey: ['fee-tiers'], queryFn: ({ signal }) => call(feeTiers, { signal }) });
  const label = t('Fees by VIP level');
  return (
    <Section title={label}>
      <Loaded query={tiers} rows={6}>
        {({ tiers: rows }) => (
          <>
            <DenseTable
              label={label}
              columns={TIER_COLUMNS}
              rows={rows.map((tier) => ({ ...tier, isOwn: tier.level === own }))}
              rowKey={({ level }) => String(level)}
            />
            <NextLevel next={rows.find(({ level }) => level === own + 1)} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const marketsText = ({ pairs }: FeeGroup, groups: readonly FeeGroup[]) =>
  groups.length === 1 ? t('All perpetuals') : pairs.join(', ');

function FuturesFees() {
  const markets = useQuery(perpetualsQuery);
  return (
    <Section title={t('Futures trading')}>
      <Loaded query={markets} rows={2}>
        {({ perpetuals: rows }) => {
          const groups = feeGroups(rows);
          const columns: readonly Column<FeeGroup>[] = [
            { id: 'market', title: msg('Pair'), cell: (group) => marketsText(group, groups) },
            { id: 'maker', title: msg('Maker'), align: 'right', cell: ({ maker }) => percentText(maker) },
            { id: 'taker', title: msg('Taker'), align: 'right', cell: ({ taker }) => percentText(taker) },
          ];
          return (
            <>
              <DenseTable
                label={t('Futures trading')}
                columns={columns}
                rows={groups}
                rowKey={({ maker, taker }) => `${maker} ${taker}`}
              />
              <p className={classes.note}>
                {t('Charged in USDT on the value of each trade. The same at every VIP level.')}
              </p>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** An operator grants the levels: no figure of the account reaches the next one by itself. */
function NextLevel({ next }: { readonly next: Omit<Tier, 'isOwn'> | undefined }) {
  if (!next) return <p className={classes.note}>{t('You have the highest level.')}</p>;
  return (
    <Row
      title={t('Your next level: VIP {{level}}', { level: next.level })}
      hint={t(
        'Spot fees fall to {{maker}} maker and {{taker}} taker. There is no automatic threshold: the exchange grants levels on request.',
        { maker: percentText(next.maker_fee_percent), taker: percentText(next.taker_fee_percent) },
      )}
    >
      <Button component={Link} to="/contactus" variant="default" size="xs">
        {t('Request a level')}
      </Button>
    </Row>
  );
}

function Verification({ status }: { readonly status: Summary['account_status'] }) {
  return (
    <Section title={t('Identity verification')}>
      <Row title={t('Status')} state={<StatusChip status={status} />}>
        <Button component={Link} to="/verification/overview" variant="default" size="xs">
          {t('Open verification')}
        </Button>
      </Row>
    </Section>
  );
}
