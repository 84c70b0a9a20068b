/** Development only: sends coins to the address on screen, and makes the blocks that confirm them or take them back. */
import type { DepositNetwork } from '@cambist/contract/deposits.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { developmentChainsQuery, useChainActions } from '../../../lib/queries/development-chains.ts';
import { noticeError } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { addressQuery } from './deposit-queries.ts';
import classes from './development-card.module.css';
import { DevelopmentMark } from './network-facts.tsx';

/** Of any coin on any chain. */
const CHAIN_SCALE = 18;
const REPLACED_BLOCKS = 3;

interface DevelopmentCardProps {
  readonly coin: string;
  readonly network: DepositNetwork;
}

/** What is sent at first: enough to be credited, and not the same as the minimum. */
const USUAL_AMOUNT: Readonly<Record<string, string>> = { BTC: '0.05', ETH: '0.5' };

export default function DevelopmentCard({ coin, network }: DevelopmentCardProps) {
  const address = useQuery(addressQuery(network.value)).data;
  const chains = useQuery(developmentChainsQuery);
  const chain = chains.data?.chains.find((known) => known.network === network.value);
  const [amount, setAmount] = useState(USUAL_AMOUNT[coin] ?? '100');
  const { send, mine, reorganize } = useChainActions(network.value, {
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  const isBusy = mine.isPending || reorganize.isPending;
  const isEmpty = decimal(amount).units <= 0n;
  const [tried, setTried] = useState(false);
  return (
    <section className={classes.card} aria-label={t('Test network')}>
      <h2 className={classes.heading}>
        {network.name} <DevelopmentMark />
      </h2>
      <p className={classes.text}>
        {t('Send test coins to your address on this chain. They are worth nothing.')}{' '}
        {chain && t('Block {{height}}, {{waiting}} pending.', { height: chain.height, waiting: chain.waiting.length })}
      </p>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (address && !isEmpty) send.mutate({ coin, address, amount });
        }}
      >
        <NumberField
          label={t('Amount')}
          className={classes.amount}
          scale={CHAIN_SCALE}
          steps={false}
          unit={coin}
          value={amount}
          error={tried && isEmpty ? t('Amount is required') : undefined}
          onChange={(typed) => {
            setAmount(typed);
            setTried(false);
          }}
        />
        <Button type="submit" className={classes.send ?? ''} loading={send.isPending} disabled={!address}>
          {t('Send {{coin}} here', { coin })}
        </Button>
      </form>
      <div className={classes.acts}>
        {[...new Set([1, network.credited_at, network.unlocked_at])].map((blocks) => (
          <Button key={blocks} variant="default" disabled={isBusy} onClick={() => mine.mutate(blocks)}>
            {blocks === 1 ? t('Mine a block') : t('Mine {{number}} blocks', { number: blocks })}
          </Button>
        ))}
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => reorganize.mutate({ depth: REPLACED_BLOCKS, payments: 'DROP' })}
        >
          {t('Replace {{number}} blocks', { number: REPLACED_BLOCKS })}
        </Button>
      </div>
    </section>
  );
}
