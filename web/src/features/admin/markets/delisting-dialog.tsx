/** Announces when a pair ends, moves that, or withdraws it. */
import { announceDelisting } from '@cambist/contract/admin-markets.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { fromLocalField, toLocalField } from '../../../lib/local-time.ts';
import { isPerpetual } from '../../../lib/market/pairs.ts';
import classes from '../console.module.css';
import { useAct } from '../use-act.ts';
import { ActDialog, type OfMarketProps } from './market-dialogs.tsx';
import { useEntry } from './market-form.ts';
import own from './markets-page.module.css';

const DAY_MS = 86_400_000;
/** What most exchanges give their clients. */
const NOTICE_DAYS = 14;
const CLOSE_ONLY_DAYS = 7;

const firstEntry = (delisting: OfMarketProps['market']['delisting']) => ({
  closeOnly: toLocalField(delisting?.close_only_at ?? Date.now() + CLOSE_ONLY_DAYS * DAY_MS),
  end: toLocalField(delisting?.ends_at ?? Date.now() + NOTICE_DAYS * DAY_MS),
  reason: '',
});

type Announced = OfMarketProps['market']['delisting'];

export function AnnounceDialog({ market, onClose }: OfMarketProps) {
  const act = useAct(
    (body: { delisting: Announced; reason: string }) =>
      call(announceDelisting, { params: { symbol: market.symbol }, body }),
    onClose,
  );
  const { entry, text, field } = useEntry(firstEntry(market.delisting), act.error);
  const [closeOnlyAt, endsAt] = [fromLocalField(entry.closeOnly), fromLocalField(entry.end)];
  const values = { pair: market.symbol, coin: market.coin };
  const isReady = closeOnlyAt !== null && endsAt !== null && closeOnlyAt <= endsAt;
  return (
    <ActDialog
      title={t('Announce the delisting of {{pair}}', values)}
      action={t('Announce delisting')}
      danger
      busy={act.isPending}
      ready={isReady}
      reason={field('reason')}
      onSubmit={() =>
        isReady && act.mutate({ delisting: { close_only_at: closeOnlyAt, ends_at: endsAt }, reason: entry.reason })
      }
      onClose={onClose}
    >
      <div className={own.times}>
        <TextInput type="datetime-local" label={t('Close-only from')} {...text('closeOnly')} />
        <TextInput type="datetime-local" label={t('Delisted on')} {...text('end')} />
      </div>
      <ul className={own.list}>
        <li>{t('Holders get a notice now.')}</li>
        <li>
          {isPerpetual(market.symbol)
            ? t('From the close-only time clients can only reduce positions. Resting orders stay.')
            : t('From the close-only time clients can only sell {{coin}}. Resting orders stay.', values)}
        </li>
        <li>
          {isPerpetual(market.symbol)
            ? t(
                'At the end orders are cancelled and positions are settled at the mark price. If that would cost the insurance, the market is halted instead, and you settle it.',
              )
            : t('At the end orders are cancelled, the pair is delisted and its price alerts end.')}
        </li>
      </ul>
    </ActDialog>
  );
}

export function WithdrawDialog({ market, onClose }: OfMarketProps) {
  const [now] = useState(() => Date.now());
  const act = useAct(
    (reason: string) =>
      call(announceDelisting, { params: { symbol: market.symbol }, body: { delisting: null, reason } }),
    onClose,
  );
  const { entry, field } = useEntry({ reason: '' }, act.error);
  const date = formatDateTime(market.delisting?.ends_at ?? now);
  return (
    <ActDialog
      title={t('Keep {{pair}} listed?', { pair: market.symbol })}
      action={t('Withdraw delisting')}
      busy={act.isPending}
      ready
      reason={field('reason')}
      onSubmit={() => act.mutate(entry.reason)}
      onClose={onClose}
    >
      <p className={classes.quiet}>
        {t('The delisting on {{date}} is withdrawn. Orders are accepted as before, and holders get a notice.', {
          date,
        })}
      </p>
    </ActDialog>
  );
}
