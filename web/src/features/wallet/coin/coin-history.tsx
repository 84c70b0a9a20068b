/** What came of a coin and what went: everything, deposits alone, withdrawals alone, and line by line with balances. */
import { useState } from 'react';
import { type Decimal, decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Private } from '../hide-button.tsx';
import { routeOf } from '../transfer/witnesses.tsx';
import { statusOf } from '../withdraw/withdrawal-states.ts';
import classes from './coin-page.module.css';
import type { Movement } from './movements.ts';
import { Statement } from './statement.tsx';
import { signed } from './statement-words.ts';
import { type Movements, useMovements } from './use-movements.ts';

const PAGE_SIZE = 20;

const TABS = {
  all: msg('All'),
  deposit: msg('Deposit'),
  withdraw: msg('Withdraw'),
  statement: msg('Statement'),
} as const;
type Tab = keyof typeof TABS;

function kindOf(movement: Movement): string {
  if (movement.kind === 'deposit') return t('Deposit', { context: 'history' });
  if (movement.kind === 'transfer') return t('Transfer');
  if (movement.kind === 'withdrawal') return t('Withdrawal');
  if (movement.fill.type === 'convert') return t('Conversion');
  return movement.fill.delegate_type === 'BUY'
    ? t('Buy {{pair}}', pairOf(movement))
    : t('Sell {{pair}}', pairOf(movement));
}

const pairOf = ({ fill }: Extract<Movement, { kind: 'fill' }>) => ({
  pair: fill.coin_pair.pair_name.replace('-', '/'),
});

function amountOf(movement: Movement): string {
  if (movement.kind === 'transfer') return formatExact(decimal(movement.transfer.amount));
  if (movement.kind === 'withdrawal') return signed(negated(decimal(movement.withdrawal.withdraw_amount)));
  return signed(movement.kind === 'fill' ? movement.change : decimal(movement.deposit.recharge_amount));
}

const negated = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

function stateOf(movement: Movement): string {
  if (movement.kind === 'fill') return t('Completed');
  if (movement.kind === 'transfer') {
    const { state, confirmations, confirmations_required: required } = movement.transfer;
    if (state === 'PENDING') return t('{{count}} of {{required}} confirmations', { count: confirmations, required });
    return state === 'COMPLETED' ? t('Completed') : t('Reversed');
  }
  if (movement.kind === 'withdrawal') return t(statusOf(movement.withdrawal).text, { context: 'withdrawal' });
  const { state, confirmations, credited_at: required } = movement.deposit;
  if (state === 'SEEN') return t('{{count}} of {{required}} confirmations', { count: confirmations, required });
  if (state === 'BELOW_MINIMUM') return t('Below the minimum, not credited');
  return state === 'REVERSED' ? t('Reversed') : t('Completed');
}

const columns: readonly ListColumn<Movement>[] = [
  {
    id: 'kind',
    title: msg('Movement'),
    card: 'head',
    cell: (movement) => (
      <span className={classes.what}>
        <span className={classes.kind}>{kindOf(movement)}</span>
        {movement.kind === 'transfer' && <span className={classes.small}>{routeOf(movement.transfer)}</span>}
        {movement.kind === 'deposit' && <span className={classes.small}>{movement.deposit.network}</span>}
        {movement.kind === 'withdrawal' && <span className={classes.small}>{movement.withdrawal.network}</span>}
      </span>
    ),
  },
  {
    id: 'amount',
    title: msg('Amount'),
    align: 'right',
    cell: (movement) => <Private>{amountOf(movement)}</Private>,
  },
  { id: 'state', title: msg('Status'), align: 'right', cell: stateOf },
  { id: 'time', title: msg('Time'), align: 'right', cell: ({ time }) => formatDateTime(time) },
];

export function CoinHistory({ coin }: { readonly coin: string }) {
  const [tab, setTab] = useState<Tab>('all');
  return (
    <section aria-label={t('History')}>
      <div className={classes.tabs} role="tablist" aria-label={t('History')}>
        {(Object.keys(TABS) as Tab[]).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`coin-tab-${name}`}
            aria-controls="coin-history"
            aria-selected={tab === name}
            tabIndex={tab === name ? 0 : -1}
            onClick={() => setTab(name)}
            onKeyDown={(event) => {
              const names = Object.keys(TABS) as Tab[];
              const step = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
              if (step === undefined) return;
              const next = names[(names.indexOf(name) + step) % names.length]!;
              setTab(next);
              document.getElementById(`coin-tab-${next}`)?.focus();
            }}
          >
            {t(TABS[name])}
          </button>
        ))}
      </div>
      <div id="coin-history" role="tabpanel" aria-labelledby={`coin-tab-${tab}`}>
        {tab === 'all' && <All coin={coin} />}
        {tab === 'deposit' && <Deposits coin={coin} />}
        {tab === 'withdraw' && <Withdrawals coin={coin} />}
        {tab === 'statement' && <Statement coin={coin} />}
      </div>
    </section>
  );
}

function All({ coin }: { readonly coin: string }) {
  return (
    <>
      <List
        movements={useMovements(coin, 'all')}
        empty={t('What you buy, sell, convert, transfer, deposit and withdraw of this coin will be listed here.')}
      />
      <p className={classes.note}>
        {t('Trades, conversions, transfers between your wallets, deposits and withdrawals.')}
      </p>
    </>
  );
}

function Deposits({ coin }: { readonly coin: string }) {
  return (
    <List movements={useMovements(coin, 'deposits')} empty={t('Your deposits of this coin will be listed here.')} />
  );
}

function Withdrawals({ coin }: { readonly coin: string }) {
  return (
    <List
      movements={useMovements(coin, 'withdrawals')}
      empty={t('Your withdrawals of this coin will be listed here.')}
    />
  );
}

function List({ movements, empty }: { readonly movements: Movements; readonly empty: string }) {
  const { rows: all, error, hasMore, readOn, retry } = movements;
  const { rows, page, count, setPage } = usePages(all ?? [], PAGE_SIZE);
  const list = { label: t('History'), columns, rows, rowKey: ({ id }: Movement) => id };
  const turn = (wanted: number) => {
    if (wanted >= count - 1 && hasMore) readOn();
    setPage(wanted);
  };
  return (
    <>
      <div className={classes.list}>
        {error && <ErrorState error={error} onRetry={retry} />}
        {!error && all === undefined && <SkeletonRows rows={4} columns={4} />}
        {!error && all?.length === 0 && !hasMore && <Empty title={empty} />}
        {!error && all?.length === 0 && hasMore && (
          <Empty
            title={t('None among the newest. Older ones may be there.')}
            action={
              <Button variant="default" onClick={readOn}>
                {t('Look further back')}
              </Button>
            }
          />
        )}
        {rows.length > 0 && <RowList tall {...list} />}
      </div>
      <Pager page={page} count={count} hasMore={hasMore} onChange={turn} />
    </>
  );
}
