/** A wallet of the person's own, connected by its browser extension: its address, its ETH, and what has come and gone. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { web3Connect } from '@cambist/contract/web3.ts';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EIP6963ProviderDetail } from 'mipd';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { every } from '../../../lib/away.ts';
import { endsOf } from '../../../lib/ends-of.ts';
import { formatDateTime, formatDecimal } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { findWallets, isRejected } from '../../../lib/wallet-extensions.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { HideButton, Private } from '../hide-button.tsx';
import classes from '../wallet-page.module.css';
import { type OwnWallet, useOwnWallet } from './own-wallet.ts';
import own from './web3.module.css';

type Web3 = AnswerOf<typeof web3Connect>['web3'];
type Movement = Web3['history'][number];

const READ_EVERY_MS = 30_000;
const ETH_DIGITS = 4;
export function Web3Tab() {
  const { wallet, use, forget } = useOwnWallet();
  const [choices, setChoices] = useState<readonly EIP6963ProviderDetail[]>();
  const begin = async () => setChoices(await findWallets());
  const choose = (choice: EIP6963ProviderDetail) => {
    setChoices(undefined);
    use(choice).catch((problem: unknown) => {
      if (!isRejected(problem)) noticeError(t('Connect to wallet'), messageOf(problem));
    });
  };
  const connect = <Button onClick={() => void begin()}>{t('Connect to wallet')}</Button>;
  return (
    <section aria-label={t('Web3')}>
      {wallet && <Connected wallet={wallet} onForget={forget} />}
      {wallet === undefined && <SkeletonRows rows={3} columns={3} />}
      {wallet === null && (
        <div className={classes.frame}>
          <h1 className={classes.frameTitle}>{t('Web3')}</h1>
          <div className={classes.frameBody}>
            <Empty
              title={t('See the balance and history of a wallet of your own here. Your keys stay in it.')}
              action={connect}
            />
          </div>
        </div>
      )}
      <Dialog
        opened={choices !== undefined}
        onClose={() => setChoices(undefined)}
        title={t('Connect to wallet')}
        size="sm"
      >
        {choices?.length === 0 && (
          <p className={own.none}>{t('Install a wallet extension in this browser, then try again.')}</p>
        )}
        <Stack gap="xs">
          {choices?.map((choice) => (
            <Button key={choice.info.uuid} variant="default" size="md" onClick={() => choose(choice)}>
              {choice.info.name}
            </Button>
          ))}
        </Stack>
      </Dialog>
    </section>
  );
}

function Connected({ wallet, onForget }: { readonly wallet: OwnWallet; readonly onForget: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'web3', wallet.address],
    queryFn: async ({ signal }) =>
      (await call(web3Connect, { query: { provider: wallet.name, web3_wallet: wallet.address }, signal })).web3,
    refetchInterval: every(READ_EVERY_MS),
  });
  return (
    <>
      <header className={classes.total}>
        <div>
          <div className={classes.caption}>
            <h1>{wallet.name}</h1>
            <HideButton />
          </div>
          <p className={classes.sum}>
            {data ? (
              <Private>
                {formatDecimal(data.eth_balance, ETH_DIGITS)} <span className={classes.unit}>ETH</span>
              </Private>
            ) : (
              <span className={classes.bone} />
            )}
          </p>
        </div>
        <Button variant="default" onClick={onForget}>
          {t('Disconnect')}
        </Button>
      </header>
      <CopyField label={t('Wallet address')} value={data?.wallet_address ?? wallet.address} />
      {data?.is_development && (
        <p className={own.note}>{t('What is shown is of the test network inside the development server.')}</p>
      )}
      <h2 className={own.heading}>{t('History')}</h2>
      <div className={classes.list}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows rows={3} columns={4} />}
        {data && <History of={data} />}
      </div>
      {data && !data.lists_eth && (
        <p className={classes.method}>
          {t('Tokens, from block {{block}} on. Payments of ETH itself are listed by your wallet.', {
            block: String(data.since_block),
          })}
        </p>
      )}
    </>
  );
}

const columns: readonly ListColumn<Movement>[] = [
  {
    id: 'coin',
    title: msg('Coin'),
    card: 'head',
    cell: ({ coin, direction }) => (
      <span className={classes.coin}>
        <CoinIcon code={coin} size={26} />
        <span className={classes.names}>
          <span className={classes.code}>{coin}</span>
          <span className={classes.full}>{direction === 'IN' ? t('Received') : t('Sent')}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'amount',
    title: msg('Amount'),
    align: 'right',
    cell: ({ amount, direction }) => (
      <Private>
        {direction === 'IN' ? '+' : '−'}
        {formatDecimal(amount, ETH_DIGITS)}
      </Private>
    ),
  },
  {
    id: 'other',
    title: msg('From or to'),
    align: 'right',
    cell: ({ other }) => (other === null ? '–' : endsOf(other)),
  },
  { id: 'transaction', title: msg('Transaction'), align: 'right', cell: ({ transaction }) => endsOf(transaction) },
  { id: 'date', title: msg('Date'), align: 'right', card: 'corner', cell: ({ time }) => formatDateTime(time) },
];

function History({ of }: { readonly of: Web3 }) {
  if (of.history.length === 0) return <Empty title={t('Nothing here yet')} />;
  const list = {
    ...{ label: t('History'), columns, rows: of.history },
    rowKey: ({ transaction, coin, direction, amount }: Movement) => `${transaction} ${coin} ${direction} ${amount}`,
  };
  return <RowList tall {...list} />;
}
