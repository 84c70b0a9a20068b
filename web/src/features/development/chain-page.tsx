/** Development only: the chains that the server makes in its own process, and what can be done on them. */
import { depositNetworks } from '@cambist/contract/deposits.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { formatTime } from '../../lib/format.ts';
import {
  type DevelopmentChain,
  developmentChainsQuery,
  useChainActions,
} from '../../lib/queries/development-chains.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/panel.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './chain-page.module.css';

const BLOCKS_AT_ONCE = [1, 6, 15, 64];

type Block = DevelopmentChain['blocks'][number];
type Payment = Block['payments'][number];

export function ChainPage() {
  useTitle('Development chains');
  const [search, setSearch] = useSearchParams();
  const list = useQuery(developmentChainsQuery);
  const chains = list.data?.chains ?? [];
  const chain = chains.find(({ network }) => network === search.get('network')) ?? chains[0];
  return (
    <Page title="Development chains">
      <p className={classes.hint}>
        Chains of this server alone. Nothing on them is worth anything, and no real coin ever arrives.
      </p>
      {list.isPending && <SkeletonRows rows={8} columns={4} />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !chain && <Empty title="No chain of development is running." />}
      {chain && (
        <>
          <Tabs
            label="Chain"
            value={chain.network}
            options={chains.map(({ network }) => ({ value: network, label: network }))}
            onChange={(network) => setSearch({ network }, { replace: true })}
          />
          <Chain key={chain.network} chain={chain} />
        </>
      )}
    </Page>
  );
}

function Chain({ chain }: { readonly chain: DevelopmentChain }) {
  const signedIn = useSignedIn();
  return (
    <>
      {signedIn ? (
        <Actions network={chain.network} />
      ) : (
        <p className={classes.hint}>
          <Link to={signInPath('/dev/chain')}>Log in</Link> to send coins and to make blocks.
        </p>
      )}
      <Section title={`Waiting for a block (${chain.waiting.length})`}>
        {chain.waiting.length === 0 ? <Empty title="Nothing waits." /> : <Payments payments={chain.waiting} />}
      </Section>
      <Section title={`Blocks, at height ${chain.height}`}>
        <DenseTable label="Blocks" columns={blockColumns} rows={chain.blocks} rowKey={({ hash }) => hash} />
      </Section>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Section({ title, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.list}>{children}</div>
    </section>
  );
}

const blockColumns: readonly Column<Block>[] = [
  { id: 'height', title: 'Height', width: '5.625rem', cell: ({ height }) => height },
  { id: 'time', title: 'Time', width: '6.25rem', cell: ({ time }) => formatTime(time) },
  { id: 'hash', title: 'Hash', cell: ({ hash }) => <ShortHash hash={hash} /> },
  {
    id: 'payments',
    title: 'Payments',
    cell: ({ payments }) => (payments.length === 0 ? '–' : <Payments payments={payments} />),
  },
];

const HASH_SHOWN = 12;

function ShortHash({ hash }: { readonly hash: string }) {
  return (
    <code className={classes.hash} title={hash}>
      {hash.slice(0, HASH_SHOWN)}…
    </code>
  );
}

function Payments({ payments }: { readonly payments: readonly Payment[] }) {
  return (
    <ul className={classes.payments}>
      {payments.map(({ transaction, address, amount, coin }) => (
        <li key={`${transaction}${address}${coin}${amount}`}>
          {amount} {coin} to <code className={classes.hash}>{address}</code>
        </li>
      ))}
    </ul>
  );
}

const tellFailure = (error: Error) => noticeError('Not done', messageOf(error));

function Actions({ network }: Pick<DevelopmentChain, 'network'>) {
  const { send, mine, reorganize } = useChainActions(network, {
    onError: tellFailure,
    onSent: (transaction) => noticeSuccess('Sent', transaction),
  });
  const isBusy = mine.isPending || reorganize.isPending;
  return (
    <Section title="What to do">
      <div className={classes.actions}>
        <SendForm network={network} busy={send.isPending} onSend={send.mutate} />
        <div className={classes.row}>
          {BLOCKS_AT_ONCE.map((blocks) => (
            <Button key={blocks} variant="default" disabled={isBusy} onClick={() => mine.mutate(blocks)}>
              Mine {blocks}
            </Button>
          ))}
        </div>
        <Reorganize busy={isBusy} onReorganize={reorganize.mutate} />
      </div>
    </Section>
  );
}

const networksQuery = {
  queryKey: ['deposit-networks'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(depositNetworks, { signal }),
};

interface SendFormProps extends Pick<DevelopmentChain, 'network'> {
  readonly busy: boolean;
  readonly onSend: (payment: { coin: string; address: string; amount: string }) => void;
}

function SendForm({ network, busy, onSend }: SendFormProps) {
  const coins = (useQuery(networksQuery).data?.coins ?? [])
    .filter(({ networks }) => networks.some(({ value }) => value === network))
    .map(({ name }) => name);
  const [payment, setPayment] = useState({ coin: '', address: '', amount: '' });
  const coin = payment.coin || (coins[0] ?? '');
  const field = (name: 'address' | 'amount') => ({
    value: payment[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setPayment((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <form
      className={classes.row}
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ ...payment, coin });
      }}
    >
      <NativeSelect
        label="Coin"
        data={coins}
        value={coin}
        onChange={({ currentTarget: { value } }) => setPayment((now) => ({ ...now, coin: value }))}
      />
      <TextInput label="Amount" required {...field('amount')} />
      <TextInput label="To address" required className={classes.address ?? ''} {...field('address')} />
      <Button type="submit" loading={busy}>
        Send
      </Button>
    </form>
  );
}

interface ReorganizeProps {
  readonly busy: boolean;
  readonly onReorganize: (how: { depth: number; payments: 'KEEP' | 'DROP' }) => void;
}

function Reorganize({ busy, onReorganize }: ReorganizeProps) {
  const [depth, setDepth] = useState('3');
  const replace = (payments: 'KEEP' | 'DROP') => onReorganize({ depth: Number(depth), payments });
  return (
    <div className={classes.row}>
      <TextInput
        label="Blocks to replace"
        inputMode="numeric"
        value={depth}
        onChange={({ currentTarget: { value } }) => setDepth(value)}
      />
      <Button variant="default" disabled={busy} onClick={() => replace('KEEP')}>
        Reorganize, keep payments
      </Button>
      <Button variant="default" color="red" disabled={busy} onClick={() => replace('DROP')}>
        Reorganize, drop payments
      </Button>
    </div>
  );
}
