/** One coin: what there is of it, what it has cost and gained, the way to its chart, and its history. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import { walletSingleCoin } from '@cambist/contract/coin-wallet.ts';
import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { pacedMs } from '../../../lib/away.ts';
import { useCostBasis } from '../../../lib/cost-basis.ts';
import { type Decimal, decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useTicker } from '../../../lib/market/tickers.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { AverageCost, LiveWorth, RealizedGain, UnrealizedGain } from '../../../ui/cost-figures.tsx';
import { IconChevronRight } from '../../../ui/first-icons.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import { HideButton, Private } from '../hide-button.tsx';
import { CoinHistory } from './coin-history.tsx';
import classes from './coin-page.module.css';

/** Balances come by the stream; what they are worth changes with every price. */
const WALLET_MS = 5_000;

const coinQuery = (name: string) =>
  queryOptions({
    queryKey: [...accountKeys.singleCoin, name],
    queryFn: ({ signal }) => call(walletSingleCoin, { query: { name }, signal }),
    // A name that is no coin does not become one by asking again.
    refetchInterval: ({ state }) => (isUnknown(state.error) ? false : pacedMs(WALLET_MS)),
    retry: (count, error) => !isUnknown(error) && count < 2,
  });

/** A name that no coin has, or that no coin could have. */
const isUnknown = (error: unknown) => error instanceof ApiProblem && (error.status === 404 || error.status === 422);

export function CoinPage() {
  const name = (useParams().coin ?? '').toUpperCase();
  const found = useQuery(coinQuery(name));
  const coin = found.data?.coin;
  useTitle(coin ? `${coin.name}: ${t('Wallet')}` : t('Wallet'));
  if (isUnknown(found.error)) return <UnknownCoin name={name} />;
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <BackButton />
        <CoinIcon code={name} size={30} />
        <h1 className={classes.title}>{coin?.name ?? name}</h1>
        <span className={classes.full}>{coin?.full_name}</span>
        <HideButton />
      </header>
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonRows rows={4} columns={3} />}
      {found.data && (
        <>
          <Balances coin={found.data} />
          <CoinHistory coin={found.data.coin.name} />
        </>
      )}
    </div>
  );
}

function UnknownCoin({ name }: { readonly name: string }) {
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('No such coin')}</h1>
      <Empty
        title={t('There is no coin called {{name}} here.', { name })}
        action={
          <Button component={Link} to="/wallet?tab=spot" variant="default">
            {t('Go to wallet')}
          </Button>
        }
      />
    </div>
  );
}

type Coin = AnswerOf<typeof walletSingleCoin>;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Balances({ coin }: { readonly coin: Coin }) {
  const { name } = coin.coin;
  const exact = (amount: string) => <Private>{formatExact(decimal(amount))}</Private>;
  return (
    <div className={classes.top}>
      <section className={classes.card} aria-label={t('Balance')}>
        <dl className={classes.facts}>
          <Fact name={t('Spot balance')}>
            <span className={classes.strong}>{exact(coin.balance)}</span>
          </Fact>
          <Fact name={t('Value (USDT)')}>
            <Private>
              <LiveWorth
                coin={name}
                amount={decimal(coin.balance)}
                price={coin.price.close}
                reason={t('No market prices this coin')}
              />
            </Private>
          </Fact>
          <Fact name={t('Available')}>{exact(coin.available_balance)}</Fact>
          <Fact name={t('Unavailable')}>{exact(coin.unavailable_balance)}</Fact>
          {name !== 'USDT' && <Costs name={name} amount={decimal(coin.balance)} price={coin.price.close} />}
        </dl>
        <div className={classes.ways}>
          <Button component={Link} to={`/wallet/deposit?coin=${name}`} size="compact-md">
            {t('Deposit')}
          </Button>
          <Button component={Link} to={`/wallet/withdraw?coin=${name}`} size="compact-md" variant="default">
            {t('Withdraw')}
          </Button>
          <Button component={Link} to={`/wallet/transfer?coin=${name}`} size="compact-md" variant="default">
            {t('Transfer')}
          </Button>
        </div>
      </section>
      {coin.price.close !== null && name !== 'USDT' && <TradingTile coin={coin} />}
    </div>
  );
}

interface CostsProps {
  readonly name: string;
  /** The spot balance, whose value stands beside its gain. */
  readonly amount: Decimal;
  readonly price: string | null;
}

/** The average and what was realized are over all wallets. */
function Costs({ name, amount, price }: CostsProps) {
  const reasons = {
    reading: t('Being worked out from your history'),
    unpriced: t('Not known: some of these coins arrived while they had no price'),
  };
  const of = { coin: name, costs: useCostBasis(), reasons };
  return (
    <>
      <Fact name={t('Avg. cost')}>
        <AverageCost {...of} />
      </Fact>
      <Fact name={t('Unrealized P/L')}>
        <Private>
          <UnrealizedGain {...of} amount={amount} price={price} />
        </Private>
      </Fact>
      <Fact name={t('Realized P/L (all wallets)')}>
        <Private>
          <RealizedGain {...of} today={t('Today')} />
        </Private>
      </Fact>
    </>
  );
}

function TradingTile({ coin: { coin, price } }: { readonly coin: Coin }) {
  const last = useTicker(`${coin.name}-USDT`)?.last || (price.close ?? '');
  return (
    <Link
      to={`/trades/trade-chart/${coin.name}`}
      className={classes.tile}
      aria-label={t('Trade {{coin}}', { coin: coin.name })}
    >
      <span className={classes.small}>{t('Trade')}</span>
      <span className={classes.pair}>
        {coin.name}/USDT <IconChevronRight size={16} aria-hidden />
      </span>
      <span className={classes.price}>{formatExact(decimal(last))}</span>
    </Link>
  );
}
