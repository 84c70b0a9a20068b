/** Moves funds between two of the person's wallets, and shows the transfers so far. */
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import { useWallets } from '../wallets.ts';
import { ConfirmTransfer } from './confirm-transfer.tsx';
import classes from './transfer.module.css';
import { TransferFields } from './transfer-fields.tsx';
import { offered, type TransferEntry, usualSource } from './transfer-form.ts';
import { TransferList } from './transfer-list.tsx';
import { useTransferType } from './transfer-type.ts';
import { followTransfer } from './transfer-watch.tsx';

function startEntry(coin: string | null): TransferEntry {
  const { type } = useTransferType.getState();
  return { from: usualSource(type), to: type, coin: coin?.trim().toUpperCase() ?? 'USDT', amount: '' };
}

export function TransferPage() {
  useTitle(t('Transfer'));
  const isStale = useStale(privateStream);
  return (
    <Page title={t('Transfer')} actions={<BackButton />} narrow>
      {isStale && (
        <p className={classes.stale}>
          <StaleBadge />
        </p>
      )}
      <TransferForm />
      <TransferList />
    </Page>
  );
}

function TransferForm() {
  const navigate = useNavigate();
  const wallets = useWallets();
  const [asked] = useSearchParams();
  const coin = asked.get('coin');
  const [start] = useState(() => startEntry(coin));
  const [draft, setDraft] = useDraft<TransferEntry | undefined>(`transfer ${coin ?? ''}`, undefined);
  const typed = draft ?? start;
  /** As it was when the person pressed Transfer; undefined while no dialog is open. */
  const [review, setReview] = useState<TransferEntry>();
  const source = wallets[typed.from];
  const entry = offered(typed, source.data);
  const change = (next: TransferEntry) => {
    setDraft(next);
    if (next.to !== entry.to) useTransferType.getState().setType(next.to);
  };
  return (
    <section className={classes.card} aria-label={t('Transfer')}>
      {source.error && !source.data ? (
        <ErrorState error={source.error} onRetry={() => void source.refetch()} />
      ) : source.data ? (
        <TransferFields entry={entry} wallets={wallets} onChange={change} onReview={() => setReview(entry)} />
      ) : (
        <SkeletonRows rows={5} columns={2} />
      )}
      {review && (
        <ConfirmTransfer
          entry={review}
          wallets={wallets}
          onClose={() => setReview(undefined)}
          onStarted={(transfer) => {
            setDraft(undefined);
            followTransfer(transfer);
            void navigate('/wallet');
          }}
        />
      )}
    </section>
  );
}
