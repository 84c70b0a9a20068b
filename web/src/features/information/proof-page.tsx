/** What the exchange owes to its clients, and a way for each of them to check it. */
import { type LiabilityRun, liabilityRuns } from '@cambist/contract/liabilities.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { formatDateTime, formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { OwnProof } from './own-proof.tsx';
import classes from './proof-page.module.css';

const FRESH_MS = 60_000;

type Asset = LiabilityRun['assets'][number];

function columnsOf({ batch }: LiabilityRun): readonly Column<Asset>[] {
  return [
    { id: 'coin', title: t('Coin'), cell: ({ coin }) => coin },
    {
      id: 'owed',
      title: t('Owed to clients'),
      align: 'right',
      cell: ({ total, scale }) => formatDecimal(total, scale, 2),
    },
    {
      id: 'leaves',
      title: t('Leaves'),
      align: 'right',
      width: '110px',
      cell: ({ coin, leaves }) => (
        <a className={classes.leaves} href={`/api/v3/liabilities/leaves?batch=${batch}&coin=${coin}`} download>
          {formatDecimal(String(leaves), 0)}
        </a>
      ),
    },
    {
      id: 'root',
      title: t('Root'),
      wideOnly: true,
      cell: ({ root }) => <span className={classes.hash}>{root}</span>,
    },
  ];
}

function Newest({ run }: { readonly run: LiabilityRun }) {
  const owed = run.assets.filter(({ sum }) => sum !== '0');
  return (
    <section className={classes.section} aria-label={t('Newest run')}>
      <h2 className={classes.title}>{t('Newest run')}</h2>
      <Facts
        look="tiles"
        className={classes.facts}
        facts={[
          { name: t('Time'), value: formatDateTime(run.made_at) },
          { name: t('Ledger batch'), value: formatDecimal(String(run.batch), 0) },
          { name: t('Commitment'), value: <span className={classes.hash}>{run.commitment}</span> },
        ]}
      />
      {owed.length === 0 ? (
        <p className={classes.text}>{t('Nothing was owed to anybody.')}</p>
      ) : (
        <DenseTable label={t('Owed to clients')} columns={columnsOf(run)} rows={owed} rowKey={({ coin }) => coin} />
      )}
    </section>
  );
}

function Earlier({ runs }: { readonly runs: readonly LiabilityRun[] }) {
  if (runs.length === 0) return null;
  return (
    <section className={classes.section} aria-label={t('Earlier runs')}>
      <h2 className={classes.title}>{t('Earlier runs')}</h2>
      <ul className={classes.runs}>
        {runs.map(({ batch, made_at, commitment }) => (
          <li key={batch}>
            <time dateTime={new Date(made_at).toISOString()}>{formatDateTime(made_at)}</time>
            <span className={classes.hash}>{commitment}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ProofPage() {
  useTitle(t('Proof of liabilities'));
  const { data, error, refetch } = useQuery({
    queryKey: ['liabilities'],
    queryFn: ({ signal }) => call(liabilityRuns, { signal }),
    staleTime: FRESH_MS,
  });
  const [newest, ...earlier] = data?.runs ?? [];
  return (
    <Page title={t('Proof of liabilities')} narrow>
      <p className={classes.text}>
        {t(
          'Every day the exchange adds up what it owes to all clients and publishes the totals with a commitment. Your browser can check that your own balance is in them. Compare the commitment with one that others see: the same for all means that nobody was told another total.',
        )}
      </p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={8} columns={3} />}
      {data && !newest && <Empty title={t('No run has been made yet. The first one follows within a day.')} />}
      {newest && (
        <>
          <section className={classes.section} aria-label={t('Your balance')}>
            <h2 className={classes.title}>{t('Your balance')}</h2>
            <OwnProof />
          </section>
          <Newest run={newest} />
        </>
      )}
      <section className={classes.section} aria-label={t('What it proves')}>
        <h2 className={classes.title}>{t('What it proves')}</h2>
        <p className={classes.text}>
          {t(
            'Counted is all that clients have: available, in orders and on its way between wallets. Not counted are fee credit, which pays fees only, and the accounts of the exchange’s own market maker.',
          )}
        </p>
        <p className={classes.text}>
          {t(
            'It shows what is owed, not yet what the exchange holds. A balance is split into parts at random places of the tree, so nobody learns from it what you have.',
          )}
        </p>
      </section>
      <Earlier runs={earlier} />
    </Page>
  );
}
