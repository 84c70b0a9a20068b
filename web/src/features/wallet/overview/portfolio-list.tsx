/** All coins of all wallets by their value, with what they have cost and gained. */
import { Link } from 'react-router';
import { type CostBasis, heldOf, useCostBasis } from '../../../lib/cost-basis.ts';
import { toText } from '../../../lib/decimal.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { AverageCost, LiveWorth, UnrealizedGain, Worth } from '../../../ui/cost-figures.tsx';
import { Amount } from '../../../ui/figures.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { digitsOf } from '../coin-columns.tsx';
import { Private } from '../hide-button.tsx';
import walletClasses from '../wallet-page.module.css';
import { useWallets } from '../wallets.ts';
import classes from './overview.module.css';
import { type Holding, holdingsOf } from './portfolio.ts';

const PAGE_SIZE = 8;

/** Undefined until every wallet is read: a part of the coins would be a wrong picture. */
export function useHoldings() {
  const wallets = Object.values(useWallets());
  const answers = wallets.map(({ data }) => data);
  const isRead = answers.every((data) => data !== undefined);
  return { holdings: isRead ? holdingsOf(answers) : undefined, failed: wallets.find(({ error }) => error) };
}

function CoinLink({ code, name }: Pick<Holding, 'code' | 'name'>) {
  return (
    <Link to={`/wallet/${code}`} className={walletClasses.coin}>
      <CoinIcon code={code} size={24} />
      <span className={walletClasses.names}>
        <span className={walletClasses.code}>{code}</span>
        <span className={walletClasses.full}>{name}</span>
      </span>
    </Link>
  );
}

function columnsOf(costs: CostBasis): readonly ListColumn<Holding>[] {
  const reasons = {
    reading: t('Being worked out from your history'),
    unpriced: t('Not known: some of these coins arrived while they had no price'),
  };
  return [
    {
      id: 'coin',
      title: msg('Name'),
      card: 'head',
      cell: CoinLink,
    },
    {
      id: 'amount',
      title: msg('Balance'),
      align: 'right',
      cell: ({ code, amount }) => {
        const held = toText(heldOf(costs, code, amount));
        return (
          <Private>
            <Amount value={held} digits={digitsOf(held)} />
          </Private>
        );
      },
    },
    {
      id: 'value',
      title: msg('Value (USDT)'),
      align: 'right',
      cell: ({ code, amount, worth, price }) => {
        const reason = t('No market prices this coin');
        // What positions have won or lost is worth something, but is no balance.
        const figure =
          code === 'USDT' ? (
            <Worth value={toText(worth)} price={price} reason={reason} />
          ) : (
            <LiveWorth coin={code} amount={heldOf(costs, code, amount)} price={price} reason={reason} />
          );
        return <Private>{figure}</Private>;
      },
    },
    {
      id: 'average',
      title: msg('Avg. cost'),
      align: 'right',
      cell: ({ code }) => <AverageCost coin={code} costs={costs} reasons={reasons} />,
    },
    {
      id: 'profit',
      title: msg('Unrealized P/L'),
      align: 'right',
      cell: ({ code, amount, price }) => (
        <Private>
          <UnrealizedGain
            coin={code}
            costs={costs}
            reasons={reasons}
            amount={heldOf(costs, code, amount)}
            price={price}
          />
        </Private>
      ),
    },
  ];
}

export function Portfolio() {
  const { holdings, failed } = useHoldings();
  const columns = columnsOf(useCostBasis());
  const { rows, page, count, setPage } = usePages(holdings ?? [], PAGE_SIZE);
  const list = { label: t('Portfolio'), columns, rows, rowKey: ({ code }: Holding) => code };
  return (
    <section className={`${classes.card} ${classes.flush}`} aria-label={t('Portfolio')}>
      <h2 className={classes.title}>{t('Portfolio')}</h2>
      <div className={classes.scroll}>
        {!holdings && !failed && <SkeletonRows rows={4} columns={4} />}
        {!holdings && failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        {holdings?.length === 0 && <Empty title={t('Your coins and what they are worth will be listed here.')} />}
        {rows.length > 0 && <RowList tall {...list} />}
      </div>
      <Pager page={page} count={count} onChange={setPage} />
    </section>
  );
}
