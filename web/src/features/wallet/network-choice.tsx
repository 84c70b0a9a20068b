/** The networks by which a coin travels: side by side where there is room, in a dialog on a phone. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { msg, t } from '../../lib/i18n.ts';
import { usePhone } from '../../ui/card-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconAlertTriangle, IconChevronDown } from '../../ui/first-icons.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import classes from './network-choice.module.css';

interface Option {
  readonly name: string;
  readonly value: NetworkName;
  readonly trouble: string | null;
}

interface NetworkChoiceProps<Network extends Option> {
  readonly networks: readonly Network[];
  readonly chosen: Network | undefined;
  /** What is said of each, a line for each fact. */
  readonly factsOf: (network: Network) => readonly string[];
  /** Above the networks in the dialog. */
  readonly hint: string;
  /** What is missing; said below. */
  readonly error?: string | undefined;
  readonly onChoose: (network: NetworkName) => void;
}

export function NetworkChoice<Network extends Option>(props: NetworkChoiceProps<Network>) {
  const { error } = props;
  return (
    <div>
      {usePhone() ? <NetworkDialog {...props} /> : <NetworkOptions {...props} />}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function NetworkOptions<Network extends Option>({ networks, chosen, factsOf, onChoose }: NetworkChoiceProps<Network>) {
  const group = useId();
  return (
    <fieldset className={classes.networks}>
      <legend className={classes.label}>{t('Network')}</legend>
      {networks.map((network) => (
        <label key={network.value} className={classes.network} data-chosen={network.value === chosen?.value}>
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={network.value === chosen?.value}
            onChange={() => onChoose(network.value)}
          />
          <NetworkWords network={network} facts={factsOf(network)} />
        </label>
      ))}
    </fieldset>
  );
}

function NetworkWords({ network, facts }: { readonly network: Option; readonly facts: readonly string[] }) {
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
      {facts.map((fact) => (
        <span key={fact} className={classes.small}>
          {fact}
        </span>
      ))}
    </>
  );
}

function NetworkDialog<Network extends Option>(props: NetworkChoiceProps<Network>) {
  const { networks, chosen, factsOf, hint, onChoose } = props;
  const [opened, setOpened] = useState(false);
  const label = useId();
  const close = () => setOpened(false);
  return (
    <>
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
      <Dialog opened={opened} onClose={close} title={t('Choose Network')} size="sm">
        <p className={classes.hint}>{hint}</p>
        <div className={classes.options}>
          {networks.map((network) => (
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
              <NetworkWords network={network} facts={factsOf(network)} />
            </UnstyledButton>
          ))}
        </div>
      </Dialog>
    </>
  );
}
