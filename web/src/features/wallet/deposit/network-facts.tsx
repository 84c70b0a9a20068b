/** What to know of a network before sending by it: what is in the way, the minimum, and the rest when it is asked for. */
import type { DepositNetwork } from '@cambist/contract/deposits.ts';
import { Alert, Badge } from '@mantine/core';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import classes from './deposit.module.css';

type Trouble = NonNullable<DepositNetwork['trouble']>;

const TROUBLES: Readonly<Record<Trouble, { readonly title: string; readonly text: string }>> = {
  PAUSED: {
    title: msg('{{network}} deposits are paused'),
    text: msg('Anything sent now will be credited when they resume. If it is urgent, use another network.'),
  },
  BEHIND: {
    title: msg('{{network}} is running behind'),
    text: msg('Deposits will show up later than usual. Nothing you sent is lost; there is no need to send it again.'),
  },
  SPLIT: {
    title: msg('{{network}} nodes disagree on the latest blocks'),
    text: msg(
      'Nothing is credited until they agree. Please wait before you send; deposits on their way will be found afterwards.',
    ),
  },
  AWAY: {
    title: msg('{{network}} cannot be reached right now'),
    text: msg(
      'Deposits will be found as soon as it is back. Nothing you sent is lost; there is no need to send it again.',
    ),
  },
};

interface NetworkFactsProps {
  readonly coin: string;
  readonly network: DepositNetwork;
}

export function NetworkFacts({ coin, network }: NetworkFactsProps) {
  const trouble = network.trouble && TROUBLES[network.trouble];
  const inCoin = (amount: string) => `${formatExact(decimal(amount))} ${coin}`;
  return (
    <>
      {trouble && (
        <Alert color="yellow" title={t(trouble.title, { network: network.name })}>
          {t(trouble.text)}
        </Alert>
      )}
      <Facts
        look="rows"
        className={classes.facts}
        facts={[
          { name: t('Minimum deposit'), value: inCoin(network.deposit_minimum) },
          { name: t('Arrival'), value: t('About {{minutes}} min', { minutes: network.arrival }) },
        ]}
      />
      <details className={classes.details}>
        <summary>{t('Details')}</summary>
        <Facts look="rows" className={classes.facts} facts={detailsOf(network, inCoin)} />
        <p className={classes.hint}>{t('Smaller deposits are recorded but not credited.')}</p>
        {network.contract_address && <CopyField label={t('Token contract')} value={network.contract_address} />}
      </details>
    </>
  );
}

/** What the documents and people call the minimum are two numbers: what is credited, and what the network carries. */
function detailsOf(network: DepositNetwork, inCoin: (amount: string) => string): Fact[] {
  const isFree = decimal(network.gasFee).units === 0n;
  return [
    { name: t('Minimum to be credited'), value: inCoin(network.deposit_minimum) },
    { name: t('Network minimum'), value: inCoin(network.minimum) },
    { name: t('Network confirmations'), value: network.confirmation },
    { name: t('Confirmations to be credited'), value: network.credited_at },
    { name: t('Confirmations to withdraw'), value: network.unlocked_at },
    { name: t('Fee'), value: isFree ? t('None') : inCoin(network.gasFee) },
  ];
}

/** Coins of this chain are worth nothing, and real ones do not arrive. */
export function DevelopmentMark() {
  return (
    <Badge variant="light" color="yellow" size="sm" tt="none" fw={500}>
      {t('Test network')}
    </Badge>
  );
}
