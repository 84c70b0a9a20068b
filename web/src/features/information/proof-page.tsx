/** What the exchange owes to its clients, and a way for each of them to check it. */
import { type LiabilityRun, liabilityRuns } from '@cambist/contract/liabilities.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { toText } from '../../lib/decimal.ts';
import { formatDateTime, formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { OwnProof } from './own-proof.tsx';
import classes from './proof-page.module.css';
import { hasUnsigned, heldOf, ReservesSection, ratioOf } from './reserves.tsx';

const FRESH_MS = 60_000;

type Asset = LiabilityRun['assets'][number];

function columnsOf({ batch, is_open: isOpen, reserves }: LiabilityRun): readonly ListColumn<Asset>[] {
  return [
    { id: 'coin', title: t('Coin'), card: 'head', cell: ({ coin }) => coin },
    {
      id: 'owed',
      title: t('Owed to clients'),
      align: 'right',
      cell: ({ total, scale }) => formatDecimal(total, scale, 2),
    },
    {
      id: 'held',
      title: t('Held'),
      align: 'right',
      cell: ({ coin, scale }) => {
        const held = heldOf(coin, reserves);
        return held === undefined ? '–' : formatDecimal(toText(held), scale, 2);
      },
    },
    {
      id: 'ratio',
      title: t('Held of owed'),
      align: 'right',
      cell: ({ coin, total }) => ratioOf(total, heldOf(coin, reserves)),
    },
    ...(hasUnsigned(reserves)
      ? [
          {
            id: 'with-cold',
            title: t('With unsigned cold'),
            align: 'right' as const,
            cell: ({ coin, total }: Asset) => ratioOf(total, heldOf(coin, reserves, true)),
          },
        ]
      : []),
    {
      id: 'leaves',
      title: t('Leaves'),
      align: 'right',
      width: '6.875rem',
      cell: ({ coin, leaves }) => {
        const count = formatDecimal(String(leaves), 0);
        if (!isOpen) return count;
        return (
          <a className={classes.leaves} href={`/api/v3/liabilities/leaves?batch=${batch}&coin=${coin}`} download>
            {count}
          </a>
        );
      },
    },
    {
      id: 'root',
      title: t('Root'),
      wideOnly: true,
      card: 'line',
      cell: ({ root }) => (
        <span className={`${classes.hash} ${classes.root}`} title={root}>
          {root}
        </span>
      ),
    },
  ];
}

function OwedList({ run, rows }: { readonly run: LiabilityRun; readonly rows: readonly Asset[] }) {
  const list = { label: t('Owed to clients'), columns: columnsOf(run), rows, rowKey: ({ coin }: Asset) => coin };
  return <RowList {...list} />;
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
        <OwedList run={run} rows={owed} />
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
          'Every day the exchange adds up what it owes to all clients, and publishes the totals with a commitment and with what it holds. Your browser can check that your own balance is in them. Compare the commitment with one that others see: the same for all means that nobody was told another total.',
        )}
      </p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={8} columns={3} />}
      {data && !newest && (
        // Of its own height: what it proves is said below.
        <div>
          <Empty title={t('No run has been made yet. The first one follows within minutes.')} />
        </div>
      )}
      {newest && (
        <>
          <section className={classes.section} aria-label={t('Your balance')}>
            <h2 className={classes.title}>{t('Your balance')}</h2>
            <OwnProof run={newest} />
          </section>
          <Newest run={newest} />
          <ReservesSection run={newest} />
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
            'Each part of a balance is bound to the UID and the email of one client, so one part cannot be shown to two clients as theirs. Check that both are yours. An account without an email is bound to its UID alone, which the exchange has chosen.',
          )}
        </p>
        <p className={classes.text}>
          {t('A balance is split into parts at random places of the tree, so nobody learns from it what you have.')}
        </p>
        <p className={classes.text}>
          {t(
            'What is held is read at named blocks: look up each address there on its own network. The signature proves that whoever runs the exchange had the keys of the hot wallets when they signed, and that they saw the same commitment as you.',
          )}
        </p>
        <p className={classes.text}>
          {t(
            'A cold wallet signs on a machine without a network, so its signature comes later, and not for every run. Until it is here, what the wallet holds is shown, and is not counted in “Held”.',
          )}
        </p>
        <p className={classes.text}>
          {t(
            'It does not prove that no other person has those keys, that nothing was borrowed for the day, or that nothing is owed elsewhere. Deposit addresses of clients are counted as the exchange has credited them, and no key signs for them. Coins on their way can make both sides differ for a while.',
          )}
        </p>
      </section>
      <Earlier runs={earlier} />
    </Page>
  );
}
