/** The risk in perpetuals: open interest and funding, who is nearest to liquidation, and what the insurance has for it. */
import { futuresRisk } from '@cambist/contract/admin-futures.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { insuranceFund } from '@cambist/contract/futures.ts';
import { perpetuals } from '@cambist/contract/perpetuals.ts';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { decimal, toText } from '../../../lib/decimal.ts';
import { formatDay, formatDecimal, formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePlatform } from '../../../lib/queries/platform.ts';
import { RowList } from '../../../ui/card-list.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { ValueLine } from '../../../ui/line-drawing.tsx';
import { ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY } from '../use-act.ts';
import { FormSwitch } from './form-switch.tsx';
import own from './futures.module.css';
import {
  accountColumns,
  accountKey,
  marketColumns,
  positionColumns,
  positionKey,
  sourceColumns,
} from './risk-columns.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import { TermsDialog } from './terms-dialog.tsx';

const POLL_MS = 5_000;
/** The fund's past changes once a day. */
const FUND_MS = 60_000;
const DIGITS = 2;
/** So many that one that strays moves nothing. */
const FEEDS_THAT_OUTVOTE = 3;

type Risk = AnswerOf<typeof futuresRisk>;

const money = (value: string) => `${formatDecimal(value, DIGITS)} USDT`;

export function FuturesPage() {
  const risk = useQuery({
    queryKey: [...ADMIN_KEY, 'futures'],
    queryFn: ({ signal }) => call(futuresRisk, { signal }),
    refetchInterval: every(POLL_MS),
  });
  return (
    <Console title={t('Futures')} actions={risk.isRefetchError && <StaleBadge />}>
      {risk.isPending && <SkeletonRows rows={14} columns={6} />}
      {risk.isLoadingError && <ErrorState error={risk.error} onRetry={() => void risk.refetch()} />}
      {risk.data && <Overview risk={risk.data} />}
      {risk.data && <Markets risk={risk.data} />}
      {risk.data && risk.data.index_sources.length > 0 && <Sources risk={risk.data} />}
      {risk.data && <FormSwitch isOn={risk.data.sells_empty} />}
      {risk.data && <Accounts risk={risk.data} />}
      {risk.data && <Positions risk={risk.data} />}
    </Console>
  );
}

function Overview({ risk }: { readonly risk: Risk }) {
  const open = risk.markets.reduce((sum, { open_value: value }) => sum + decimal(value).units, 0n);
  const { scale } = decimal(risk.markets[0]?.open_value);
  const wide = risk.markets.filter((one) => Number(one.mark_clamp_percent) > Number(one.widest_clamp_percent));
  const lost = risk.markets.filter(({ index_price: index }) => index === null).map(({ pair_name: name }) => name);
  return (
    <>
      {risk.is_liquidating && (
        <Alert mb="md" color="red" title={t('Liquidations are under way')}>
          {t('Positions are being closed that no order has taken yet. Other commands go on in between.')}
        </Alert>
      )}
      {lost.length > 0 && (
        <Alert mb="md" color="yellow" title={t('The index is lost in {{pairs}}', { pairs: lost.join(', ') })}>
          {t('Nothing is opened and nothing is liquidated there until it is back.')}
        </Alert>
      )}
      {wide.length > 0 && (
        <Alert mb="md" color="yellow" title={t('A thin order book can liquidate positions')}>
          {t(
            'The mark may go further from the index than positions at the highest leverage bear. Set “Mark within” in the terms to at most: {{limits}}',
            { limits: wide.map(widestOf).join(', ') },
          )}
        </Alert>
      )}
      <Section title={t('Overview')}>
        <Facts
          look="tiles"
          className={own.tiles}
          facts={[
            { name: t('Insurance fund'), value: money(risk.insurance), strong: true },
            { name: t('Open interest'), value: money(toText({ units: open, scale })) },
            { name: t('Accounts near liquidation'), value: nearCount(risk) },
          ]}
        />
      </Section>
      <Section title={t('Insurance fund by day')}>
        <FundHistory />
      </Section>
    </>
  );
}

const CLAMP_DIGITS = 4;
const widestOf = ({ pair_name: name, widest_clamp_percent: widest }: Risk['markets'][number]) =>
  `${name} ${formatShare(Number(widest), CLAMP_DIGITS)}`;

/** From the first level of the margin calls on. */
const NEAR = 0.7;
const nearCount = ({ accounts }: Risk) => accounts.filter(({ margin_ratio: ratio }) => Number(ratio) >= NEAR).length;

function FundHistory() {
  const fund = useQuery({
    queryKey: ['insurance-fund'],
    queryFn: ({ signal }) => call(insuranceFund, { signal }),
    refetchInterval: every(FUND_MS),
  });
  if (fund.isPending) return <SkeletonRows rows={5} columns={1} />;
  if (fund.isLoadingError) return <ErrorState error={fund.error} onRetry={() => void fund.refetch()} />;
  const points = fund.data.days.map(({ time, balance: value }) => ({ time, value })).reverse();
  if (points.length < 2)
    return <p className={classes.quiet}>{t('A line is drawn once the fund has changed on two days.')}</p>;
  return (
    <ValueLine
      label={t('Insurance fund by day')}
      points={points}
      floor={0}
      timeText={formatDay}
      dayText={formatDay}
      valueText={(value) => money(value)}
    />
  );
}

function Markets({ risk }: { readonly risk: Risk }) {
  const [opened, setOpened] = useState<string>();
  const [ending, setEnding] = useState<string>();
  const marked = risk.markets.find(({ pair_name: name }) => name === ending);
  return (
    <Section title={t('Perpetuals')}>
      {risk.markets.length === 0 ? (
        <p className={classes.quiet}>{t('No perpetual is listed.')}</p>
      ) : (
        <RowList
          label={t('Perpetuals')}
          columns={marketColumns({ onTerms: setOpened, onSettle: setEnding })}
          rows={risk.markets}
          rowKey={({ pair_name: name }) => name}
        />
      )}
      {opened !== undefined && <Terms symbol={opened} onClose={() => setOpened(undefined)} />}
      {ending !== undefined && (
        <SettleDialog symbol={ending} mark={marked?.mark_price ?? null} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

function Sources({ risk }: { readonly risk: Risk }) {
  const isBelieved = usePlatform()?.market === 'okx' && risk.index_sources.length < FEEDS_THAT_OUTVOTE;
  return (
    <Section title={t('Index sources')}>
      {isBelieved && (
        <Alert mb="md" color="yellow" title={t('A feed that is wrong is believed')}>
          {t('Of fewer than three feeds none can be found wrong by the others. Name further ones in INDEX_URLS.')}
        </Alert>
      )}
      <RowList
        label={t('Index sources')}
        columns={sourceColumns}
        rows={risk.index_sources}
        rowKey={({ name }) => name}
      />
    </Section>
  );
}

/** The terms as they are when the dialog is opened: a change of them meanwhile is not typed over. */
function Terms({ symbol, onClose }: { readonly symbol: string; readonly onClose: () => void }) {
  const list = useQuery({
    queryKey: [...ADMIN_KEY, 'perpetuals', symbol],
    queryFn: ({ signal }) => call(perpetuals, { signal }),
    gcTime: 0,
  });
  const terms = list.data?.perpetuals.find(({ pair_name: name }) => name === symbol);
  if (terms) return <TermsDialog symbol={symbol} terms={terms} onClose={onClose} />;
  return list.isError ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null;
}

function Accounts({ risk }: { readonly risk: Risk }) {
  return (
    <Section title={t('Nearest to liquidation')}>
      {risk.accounts.length === 0 ? (
        <p className={classes.quiet}>{t('No client has an open position.')}</p>
      ) : (
        <RowList
          label={t('Nearest to liquidation')}
          columns={accountColumns}
          rows={risk.accounts}
          rowKey={accountKey}
        />
      )}
    </Section>
  );
}

function Positions({ risk }: { readonly risk: Risk }) {
  return (
    <Section title={t('Largest positions')}>
      {risk.positions.length === 0 ? (
        <p className={classes.quiet}>{t('No client has an open position.')}</p>
      ) : (
        <RowList label={t('Largest positions')} columns={positionColumns} rows={risk.positions} rowKey={positionKey} />
      )}
    </Section>
  );
}
