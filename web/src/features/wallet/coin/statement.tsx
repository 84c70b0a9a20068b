/** The statement of a coin: every movement of a wallet with its cause and the balance after it, and the same as a file. */
import { type StatementEntry, statementFile } from '@cambist/contract/statements.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { type DateSpan, isBackwards, spanQuery } from '../../../lib/date-span.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useSaving } from '../../../lib/use-saving.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { Private } from '../hide-button.tsx';
import { walletLabel } from '../wallets.ts';
import pageClasses from './coin-page.module.css';
import classes from './statement.module.css';
import { amountOf, causeOf, referenceOf } from './statement-words.ts';
import { useStatement, type WhichStatement } from './use-statement.ts';

const YearFileDialog = lazyPart(() => import('./year-file-dialog.tsx'), 'over');

const PAGE_SIZE = 20;
const BYTES_PER_MB = 1_000_000;
const EVERYTHING: DateSpan = { from: '', to: '' };

const exact = (amount: string) => formatExact(decimal(amount));

const columnsOf = (coin: string): readonly ListColumn<StatementEntry>[] => [
  {
    id: 'cause',
    title: msg('Movement'),
    card: 'head',
    cell: (entry) => (
      <span className={pageClasses.what}>
        <span className={pageClasses.kind}>{causeOf(coin, entry)}</span>
        <span className={pageClasses.small}>{referenceOf(entry)}</span>
      </span>
    ),
  },
  {
    id: 'amount',
    title: msg('Amount'),
    align: 'right',
    cell: (entry) => (
      <Private>
        <span className={classes.amounts}>
          <span className={entry.amount.startsWith('-') ? undefined : classes.in}>{amountOf(entry)}</span>
          {decimal(entry.fee).units > 0n && (
            <span className={pageClasses.small}>
              {t('Fee: {{amount}} {{coin}}', { amount: exact(entry.fee), coin })}
            </span>
          )}
        </span>
      </Private>
    ),
  },
  {
    id: 'balance',
    title: msg('Balance'),
    align: 'right',
    cell: ({ balance }) => <Private>{exact(balance)}</Private>,
  },
  { id: 'time', title: msg('Time'), align: 'right', card: 'corner', cell: ({ time }) => formatDateTime(time) },
];

export function Statement({ coin }: { readonly coin: string }) {
  const [wallet, setWallet] = useState<WalletName>('SPOT');
  const [span, setSpan] = useState(EVERYTHING);
  const [isYearOpen, setYearOpen] = useState(false);
  const which = { coin, wallet, span };
  const isWrong = isBackwards(span);
  const date = (field: keyof DateSpan, label: string, error?: string) => (
    <TextInput
      type="date"
      className={classes.date}
      label={label}
      value={span[field]}
      error={error}
      onChange={({ currentTarget: { value } }) => setSpan((now) => ({ ...now, [field]: value }))}
    />
  );
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          className={classes.wallet}
          label={t('Wallet')}
          data={OWNED_WALLETS.map(({ name }) => ({ value: name, label: walletLabel(name) }))}
          value={wallet}
          onChange={({ currentTarget: { value } }) => setWallet(value as WalletName)}
        />
        {date('from', t('From date'))}
        {date('to', t('To date'), isWrong ? t('Before the first date') : undefined)}
        <FileButton which={which} disabled={isWrong} />
        <Button variant="default" onClick={() => setYearOpen(true)}>
          {t('Tax file')}
        </Button>
      </div>
      {isYearOpen && (
        <Suspense fallback={null}>
          <YearFileDialog onClose={() => setYearOpen(false)} />
        </Suspense>
      )}
      {!isWrong && <Lines key={`${coin} ${wallet} ${span.from} ${span.to}`} which={which} />}
    </>
  );
}

interface FileButtonProps {
  readonly which: WhichStatement;
  readonly disabled: boolean;
}

/** What the fields say, as a file of any length. */
function FileButton({ which: { coin, wallet, span }, disabled }: FileButtonProps) {
  const fileName = `cambist-${wallet.toLowerCase()}-${coin.toLowerCase()}.csv`;
  const { bytes, begin, stop } = useSaving(
    (options) => saveFile(statementFile, { ...options, fileName, query: { coin, wallet, ...spanQuery(span) } }),
    (error) => noticeError(t('The file could not be downloaded'), messageOf(error)),
  );
  if (bytes === undefined) {
    return (
      <span className={classes.file}>
        <Button variant="default" disabled={disabled} onClick={() => void begin()}>
          {t('Download CSV')}
        </Button>
      </span>
    );
  }
  const size = formatDecimal((bytes / BYTES_PER_MB).toFixed(1), 1);
  return (
    <span className={classes.file}>
      <span role="status">{t('Downloading: {{size}} MB', { size })}</span>
      <Button variant="default" onClick={stop}>
        {t('Cancel')}
      </Button>
    </span>
  );
}

function Lines({ which }: { readonly which: WhichStatement }) {
  const { coin, span } = which;
  const { balance, entries, error, hasMore, isReading, readOn, retry } = useStatement(which);
  const { rows, page, count, setPage } = usePages(entries ?? [], PAGE_SIZE);
  const turn = (wanted: number) => {
    if (wanted >= count - 1 && hasMore) readOn();
    setPage(wanted);
  };
  // What is newer than the last date is passed over a part at a time, so a part may have nothing to show.
  const isPassing = entries?.length === 0 && hasMore && error === null;
  useEffect(() => {
    if (isPassing && !isReading) readOn();
  }, [isPassing, isReading, readOn]);
  const list = { label: t('Statement'), columns: columnsOf(coin), rows, rowKey: keyOf };
  const isNarrowed = span.from !== '' || span.to !== '';
  return (
    <>
      <p className={classes.now}>
        {t('Balance now')}
        {balance !== undefined && (
          <strong>
            <Private>
              {exact(balance)} {coin}
            </Private>
          </strong>
        )}
        {error && entries && <StaleBadge />}
      </p>
      <div className={pageClasses.list}>
        {error && !entries && <ErrorState error={error} onRetry={retry} />}
        {!error && (entries === undefined || isPassing) && <SkeletonRows rows={6} columns={4} />}
        {entries?.length === 0 && !isPassing && (
          <Empty
            title={
              isNarrowed
                ? t('Nothing moved this coin in this wallet on these dates.')
                : t('Nothing has moved this coin in this wallet yet.')
            }
          />
        )}
        {rows.length > 0 && <RowList tall {...list} />}
      </div>
      <Pager page={page} count={count} hasMore={hasMore} onChange={turn} />
      <p className={pageClasses.note}>
        {t('The balance is the one after each movement: what is available, in orders and on its way together.')}
      </p>
    </>
  );
}

/** A trade of a client with itself is two lines with one reference, of which the balance differs. */
const keyOf = ({ cause, reference, balance }: StatementEntry) => `${cause} ${reference} ${balance}`;
