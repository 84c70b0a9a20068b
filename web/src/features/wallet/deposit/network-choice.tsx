/** The networks by which a coin comes: side by side where there is room, in a dialog on a phone. */
import type { DepositNetwork, NetworkName } from '@cambist/contract/deposits.ts';
import { Modal, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import { usePhone } from '../../../ui/card-list.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { IconAlertTriangle, IconChevronDown } from '../../../ui/icons.ts';
import classes from './deposit.module.css';
import type { DepositCoin } from './deposit-choice.ts';

interface NetworkChoiceProps {
  readonly coin: DepositCoin;
  readonly chosen: DepositNetwork | undefined;
  readonly onChoose: (network: NetworkName) => void;
}

export function NetworkChoice(props: NetworkChoiceProps) {
  return usePhone() ? <NetworkDialog {...props} /> : <NetworkOptions {...props} />;
}

function NetworkOptions({ coin, chosen, onChoose }: NetworkChoiceProps) {
  const group = useId();
  return (
    <fieldset className={classes.networks}>
      <legend className={classes.label}>{t('Network')}</legend>
      {coin.networks.map((network) => (
        <label key={network.value} className={classes.network} data-chosen={network.value === chosen?.value}>
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={network.value === chosen?.value}
            onChange={() => onChoose(network.value)}
          />
          <NetworkWords network={network} />
        </label>
      ))}
    </fieldset>
  );
}

function NetworkWords({ network }: { readonly network: DepositNetwork }) {
  return (
    <>
      <span className={classes.networkName}>
        {network.name}
        {network.trouble && (
          <>
            <IconAlertTriangle size={15} className={classes.warning} aria-hidden />
            <HiddenText text={msg('Delayed')} />
          </>
        )}
      </span>
      <span className={classes.small}>{t('Arrives in about {{minutes}} min', { minutes: network.arrival })}</span>
      <span className={classes.small}>{t('Confirmations: {{number}}', { number: network.confirmation })}</span>
    </>
  );
}

function NetworkDialog({ coin, chosen, onChoose }: NetworkChoiceProps) {
  const [opened, setOpened] = useState(false);
  const label = useId();
  const close = () => setOpened(false);
  return (
    <div>
      <span className={classes.label} id={label}>
        {t('Network')}
      </span>
      <UnstyledButton
        id={`${label}-button`}
        className={classes.field ?? ''}
        aria-haspopup="dialog"
        aria-labelledby={`${label} ${label}-button`}
        onClick={() => setOpened(true)}
      >
        {chosen ? chosen.name : t('Choose Network')}
        <IconChevronDown size={16} aria-hidden />
      </UnstyledButton>
      <Modal opened={opened} onClose={close} title={t('Choose Network')} size="sm">
        <p className={classes.hint}>
          {t('Choose the network you are sending from. A deposit over any other network will not arrive.')}
        </p>
        <div className={classes.options}>
          {coin.networks.map((network) => (
            <UnstyledButton
              key={network.value}
              className={classes.network ?? ''}
              data-chosen={network.value === chosen?.value}
              aria-pressed={network.value === chosen?.value}
              onClick={() => {
                onChoose(network.value);
                close();
              }}
            >
              <NetworkWords network={network} />
            </UnstyledButton>
          ))}
        </div>
      </Modal>
    </div>
  );
}
