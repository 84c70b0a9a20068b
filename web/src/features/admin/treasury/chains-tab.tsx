/** Chains, hot wallets and the signer, what is being sent, and custody against the ledger. */
import { pausePayouts, resumePayouts } from '@cambist/contract/admin-withdrawals.ts';
import { Alert, Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { CustodyTable, MarginTable, PayoutTable } from './chain-tables.tsx';
import { SIGNER, TROUBLES } from './review-words.ts';
import own from './treasury.module.css';
import { type Chains, chainsQuery } from './treasury-queries.ts';

type Chain = Chains['chains'][number];
type Amount = Chains['margins'][number]['cost'];

export function ChainsTab() {
  const { data, error, isPending, refetch } = useQuery(chainsQuery);
  if (isPending) return <SkeletonRows rows={10} columns={4} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Signer signer={data.signer} />
      <div className={own.chains}>
        {data.chains.map((chain) => (
          <ChainCard key={chain.network} chain={chain} />
        ))}
      </div>
      <PayoutTable payouts={data.payouts} />
      <CustodyTable custody={data.custody} />
      <MarginTable margins={data.margins} own_costs={data.own_costs} />
    </>
  );
}

function Signer({ signer: { state, is_in_process: isInside } }: Pick<Chains, 'signer'>) {
  if (state === 'AWAY') {
    return (
      <Alert mb="md" color="red" title={t('The signer does not answer')}>
        {t('Nothing is signed until it does. Withdrawals wait, and nothing is lost.')}
      </Alert>
    );
  }
  return (
    <p className={own.signer}>
      {t('Signer: {{state}}', { state: t(SIGNER[state], { context: 'signer' }) })}
      {isInside && ` · ${t('runs inside the server, as in development')}`}
    </p>
  );
}

function Amounts({ list }: { readonly list: readonly Amount[] | null }) {
  if (list === null || list.length === 0) return '–';
  return (
    <span className={own.amounts}>
      {list.map(({ coin, amount }) => (
        <span key={coin}>
          {formatExact(decimal(amount))} {coin}
        </span>
      ))}
    </span>
  );
}

type What = 'DEPOSITS' | 'PAYOUTS';

function ChainCard({ chain }: { readonly chain: Chain }) {
  const { network, head, cursor, nodes, trouble, payouts_paused: isPaused, hot_wallet: wallet } = chain;
  const { unbooked_cost: cost } = chain;
  const lag = head === null || cursor === null ? null : Math.max(0, head - cursor);
  return (
    <Section title={network}>
      <div className={own.badges}>
        {chain.is_development && <Mark color="gray" text={t('Development chain')} />}
        {trouble ? <Mark color="yellow" text={t(TROUBLES[trouble])} /> : <Mark color="teal" text={t('Following')} />}
        {isPaused && <Mark color="yellow" text={t('Payouts are paused')} />}
      </div>
      <Facts
        look="tiles"
        className={own.facts}
        facts={[
          { name: t('Newest block'), value: head ?? '–' },
          { name: t('Blocks behind'), value: lag ?? '–' },
          ...nodes.map((node, index) => ({
            name: index === 0 ? t('First node') : t('Second node'),
            value: node.head ?? t('Not answering'),
          })),
          ...(wallet
            ? [
                { name: t('In the hot wallet'), value: <Amounts list={wallet.balances} /> },
                { name: t('Shortfall'), value: <Amounts list={wallet.short} /> },
              ]
            : []),
          ...(cost ? [{ name: t('Costs not in the ledger'), value: <Amounts list={[cost]} /> }] : []),
        ]}
      />
      {wallet ? (
        <CopyField label={t('Hot wallet')} value={wallet.address} />
      ) : (
        <p className={classes.quiet}>{t('Nothing is sent by this network.')}</p>
      )}
      <div className={own.acts}>
        <PauseButton network={network} what="DEPOSITS" isPaused={trouble === 'PAUSED'} />
        {wallet && <PauseButton network={network} what="PAYOUTS" isPaused={isPaused} />}
      </div>
    </Section>
  );
}

function Mark({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {text}
    </Badge>
  );
}

interface PauseButtonProps {
  readonly network: Chain['network'];
  readonly what: What;
  readonly isPaused: boolean;
}

const actionText = (what: What, isPaused: boolean) => {
  if (what === 'DEPOSITS') return isPaused ? t('Resume deposits') : t('Pause deposits');
  return isPaused ? t('Resume payouts') : t('Pause payouts');
};

const questionText = (what: What, isPaused: boolean, network: string) => {
  if (what === 'DEPOSITS') {
    return isPaused
      ? t('Resume deposits by {{network}}?', { network })
      : t('Pause deposits by {{network}}?', { network });
  }
  return isPaused ? t('Resume payouts by {{network}}?', { network }) : t('Pause payouts by {{network}}?', { network });
};

function PauseButton({ network, what, isPaused }: PauseButtonProps) {
  const [asking, setAsking] = useState(false);
  const change = useAct(
    ({ reason }: Decision) => {
      const input = { params: { network }, body: { what, reason } };
      return isPaused ? call(resumePayouts, input) : call(pausePayouts, input);
    },
    () => setAsking(false),
  );
  const action = actionText(what, isPaused);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {action}
      </Button>
      {asking && (
        <ReasonDialog
          title={questionText(what, isPaused, network)}
          action={action}
          withEnd={false}
          isInternal
          busy={change.isPending}
          onDecide={(decision) => change.mutate(decision)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
