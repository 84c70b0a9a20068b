/** Moves funds between two of the person's wallets, and shows the transfers so far. */
import { useNavigate, useSearchParams } from 'react-router';
import { useDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { StaleBadge } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import { ConfirmTransfer } from './confirm-transfer.tsx';
import classes from './transfer.module.css';
import type { TransferEntry } from './transfer-form.ts';
import { TransferList } from './transfer-list.tsx';
import { TransferStart, useTransferEntry } from './transfer-start.tsx';
import { followTransfer } from './transfer-watch.tsx';

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
  const [asked] = useSearchParams();
  const coin = asked.get('coin') ?? undefined;
  const [draft, setDraft] = useDraft<TransferEntry | undefined>(`transfer ${coin ?? ''}`, undefined);
  const form = useTransferEntry({ coin }, draft, setDraft);
  return (
    <section className={classes.card} aria-label={t('Transfer')}>
      <TransferStart {...form} />
      {form.review && (
        <ConfirmTransfer
          entry={form.review}
          wallets={form.wallets}
          onClose={form.giveUp}
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
