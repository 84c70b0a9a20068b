/** Pairs, coins and the fees of who has no tier: what is traded, on which terms, and the acts that change it. */
import { adminMarkets, setDefaultFees } from '@cambist/contract/admin-markets.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { ActionIcon, Badge, Button, Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact, withPercent } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { IconDots, IconSearch } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { useFloating } from '../../../ui/use-floating.ts';
import classes from '../console.module.css';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY, isReason, REASON_LIMIT, useAct } from '../use-act.ts';
import { AnnounceDialog, WithdrawDialog } from './delisting-dialog.tsx';
import { DelistDialog, HaltDialog, LimitsDialog, ListCoinDialog, ListPairDialog } from './market-dialogs.tsx';
import { type AdminMarket, PERCENT_SCALE, useEntry } from './market-form.ts';
import own from './markets-page.module.css';

const POLL_MS = 5_000;

type Listed = AnswerOf<typeof adminMarkets>;
type MarketAct = 'limits' | 'halt' | 'announce' | 'withdraw' | 'delist';
type Act = { readonly kind: MarketAct; readonly market: AdminMarket } | { readonly kind: 'pair' | 'coin' };

const exact = (value: string) => formatExact(decimal(value));

const STATES = {
  trading: { label: msg('Trading'), color: 'teal' },
  halted: { label: msg('Halted'), color: 'yellow' },
  paused: { label: msg('Paused'), color: 'orange' },
  delisted: { label: msg('Delisted'), color: 'gray' },
} as const;

function MarketState({ state, delisting }: Pick<AdminMarket, 'state' | 'delisting'>) {
  const { label, color } = STATES[state];
  const isEnding = delisting !== null && state !== 'delisted';
  return (
    <>
      <Badge variant="light" color={color} tt="none" miw="max-content">
        {t(label, { context: 'pair' })}
      </Badge>
      {isEnding && (
        <div className={own.ending}>{t('Delisting on {{date}}', { date: formatDateTime(delisting.ends_at) })}</div>
      )}
    </>
  );
}

function MarketMenu({ market, onAct }: { readonly market: AdminMarket; readonly onAct: (act: Act) => void }) {
  const floating = useFloating();
  if (market.state === 'delisted') return null;
  const act = (kind: MarketAct) => () => onAct({ kind, market });
  return (
    <Menu position="bottom-end" {...floating}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={t('Change {{pair}}', { pair: market.symbol })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={act('limits')}>{t('Change limits')}</Menu.Item>
        <Menu.Item onClick={act('halt')}>
          {market.state === 'halted' ? t('Resume trading') : t('Halt trading')}
        </Menu.Item>
        <Menu.Item onClick={act('announce')}>{t('Announce delisting')}</Menu.Item>
        {market.delisting && <Menu.Item onClick={act('withdraw')}>{t('Withdraw delisting')}</Menu.Item>}
        <Menu.Item onClick={act('delist')}>{t('Delist')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const columnsFor = (onAct: (act: Act) => void): readonly Column<AdminMarket>[] => [
  { id: 'pair', title: msg('Pair'), cell: (market) => market.symbol },
  { id: 'state', title: msg('State'), cell: (market) => <MarketState {...market} /> },
  {
    id: 'last',
    title: msg('Last price'),
    align: 'right',
    wideOnly: true,
    cell: (market) => (market.last_price === '' ? '–' : formatDecimal(market.last_price, market.price_decimals)),
  },
  {
    id: 'decimals',
    title: msg('Decimals'),
    align: 'right',
    wideOnly: true,
    cell: (market) => `${market.price_decimals} / ${market.quantity_decimals}`,
  },
  {
    id: 'quantity',
    title: msg('Quantity'),
    align: 'right',
    wideOnly: true,
    cell: (market) => `${exact(market.minimum_quantity)} – ${exact(market.maximum_quantity)}`,
  },
  {
    id: 'value',
    title: msg('Smallest value'),
    align: 'right',
    wideOnly: true,
    cell: (market) => `${exact(market.minimum_value)} USDT`,
  },
  {
    id: 'band',
    title: msg('Price band'),
    align: 'right',
    wideOnly: true,
    cell: (market) => (Number(market.price_band_percent) === 0 ? '–' : withPercent(exact(market.price_band_percent))),
  },
  {
    id: 'orders',
    title: msg('Orders'),
    align: 'right',
    cell: (market) => market.open_orders + market.untriggered_orders,
  },
  {
    id: 'act',
    title: <HiddenText text={msg('Change')} />,
    align: 'right',
    pinned: true,
    cell: (market) => <MarketMenu market={market} onAct={onAct} />,
  },
];

export function MarketsPage() {
  const list = useQuery({
    queryKey: [...ADMIN_KEY, 'markets'],
    queryFn: ({ signal }) => call(adminMarkets, { signal }),
    refetchInterval: every(POLL_MS),
  });
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const free = list.data?.coins.filter(({ is_paired }) => !is_paired) ?? [];
  return (
    <Console
      title={t('Pairs')}
      actions={
        <>
          <Button variant="default" disabled={!list.data} onClick={() => setAct({ kind: 'coin' })}>
            {t('List a coin')}
          </Button>
          {free.length > 0 && <Button onClick={() => setAct({ kind: 'pair' })}>{t('List a pair')}</Button>}
        </>
      }
    >
      {list.isPending && <SkeletonRows rows={12} columns={6} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && <DefaultFees listed={list.data} />}
      {list.data && <Pairs listed={list.data} onAct={setAct} />}
      {act && 'market' in act && act.kind === 'limits' && <LimitsDialog market={act.market} onClose={close} />}
      {act && 'market' in act && act.kind === 'halt' && <HaltDialog market={act.market} onClose={close} />}
      {act && 'market' in act && act.kind === 'announce' && <AnnounceDialog market={act.market} onClose={close} />}
      {act && 'market' in act && act.kind === 'withdraw' && <WithdrawDialog market={act.market} onClose={close} />}
      {act && 'market' in act && act.kind === 'delist' && <DelistDialog market={act.market} onClose={close} />}
      {act?.kind === 'coin' && <ListCoinDialog onClose={close} />}
      {act?.kind === 'pair' && list.data && (
        <ListPairDialog coins={free} quoteDecimals={list.data.quote.decimals} onClose={close} />
      )}
    </Console>
  );
}

function Pairs({ listed, onAct }: { readonly listed: Listed; readonly onAct: (act: Act) => void }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toUpperCase();
  const shown = listed.markets.filter(({ symbol }) => symbol.includes(wanted));
  return (
    <Section title={t('Pairs')}>
      <TextInput
        mb="sm"
        maw={280}
        aria-label={t('Find a pair')}
        placeholder={t('Find a pair')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Empty title={t('No matching pair.')} />
      ) : (
        <DenseTable label={t('Pairs')} columns={columnsFor(onAct)} rows={shown} rowKey={({ symbol }) => symbol} />
      )}
    </Section>
  );
}

function DefaultFees({ listed }: { readonly listed: Listed }) {
  const set = useAct((body: { maker_fee_percent: string; taker_fee_percent: string; reason: string }) =>
    call(setDefaultFees, { body }),
  );
  const { entry, text, field, isReadable } = useEntry(
    { maker_fee_percent: listed.maker_fee_percent, taker_fee_percent: listed.taker_fee_percent, reason: '' },
    set.error,
  );
  const isChanged =
    entry.maker_fee_percent !== listed.maker_fee_percent || entry.taker_fee_percent !== listed.taker_fee_percent;
  const percent = { className: own.fee, scale: PERCENT_SCALE, unit: '%', unitWidth: 30 };
  return (
    <Section title={t('Default fees')}>
      <form
        className={classes.row}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(entry);
        }}
      >
        <NumberField label={t('Maker')} {...percent} {...field('maker_fee_percent')} />
        <NumberField label={t('Taker')} {...percent} {...field('taker_fee_percent')} />
        <TextInput label={t('Reason')} maxLength={REASON_LIMIT} style={{ flex: '1 1 12.5rem' }} {...text('reason')} />
        <Button
          type="submit"
          variant="default"
          loading={set.isPending}
          disabled={!isChanged || !isReadable || !isReason(entry.reason)}
        >
          {t('Set fees')}
        </Button>
      </form>
    </Section>
  );
}
