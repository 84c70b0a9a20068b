/** The client's address on a network: to scan, to compare and to copy, or to make where there is none. */
import { type DepositNetwork, generateWallet } from '@cambist/contract/deposits.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { useCopy } from '../../../ui/copy-field.tsx';
import { IconAlertTriangle } from '../../../ui/first-icons.ts';
import { IconCheck, IconCopy } from '../../../ui/icons.ts';
import { noticeError } from '../../../ui/notices.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { AddressGroups } from '../address-groups.tsx';
import classes from './deposit.module.css';
import { ADDRESSES_KEY, addressQuery } from './deposit-queries.ts';
import { DevelopmentMark } from './network-facts.tsx';

const CODE_PX = 176;

interface AddressCardProps {
  readonly coin: string;
  readonly network: DepositNetwork;
}

export function AddressCard({ coin, network }: AddressCardProps) {
  const address = useQuery(addressQuery(network.value));
  if (address.isError && address.data === undefined) {
    return <ErrorState error={address.error} onRetry={() => void address.refetch()} />;
  }
  if (address.data === undefined) return <SkeletonRows rows={4} columns={2} />;
  if (address.data === null) return <NoAddress network={network} />;
  return <Address address={address.data} coin={coin} network={network} />;
}

function NoAddress({ network }: { readonly network: DepositNetwork }) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () => call(generateWallet, { query: { wallet_type: network.value } }),
    onSuccess: ({ wallet }) => {
      queries.setQueryData(addressQuery(network.value).queryKey, wallet.wallet_address);
      // Networks of one kind share an address.
      void queries.invalidateQueries({ queryKey: ADDRESSES_KEY });
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  return (
    <div className={classes.none}>
      <p className={classes.text}>
        {t('You have no {{network}} address yet. Once generated, it stays yours for every deposit.', {
          network: network.name,
        })}
      </p>
      <Button loading={make.isPending} onClick={() => make.mutate()}>
        {t('Generate Address')}
      </Button>
    </div>
  );
}

function Address({ address, coin, network }: AddressCardProps & { readonly address: string }) {
  const label = t('Your {{coin}} address on {{network}}', { coin, network: network.name });
  const { copied, copy } = useCopy(label, address);
  return (
    <div className={classes.address}>
      <div className={classes.code}>
        <QrCode value={address} size={CODE_PX} label={t('QR code of the address')} />
      </div>
      <h2 className={classes.label}>
        {label} {network.is_development && <DevelopmentMark />}
      </h2>
      <AddressGroups address={address} />
      <Button
        variant={copied ? 'light' : 'filled'}
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy()}
      >
        {copied ? t('Copied!') : t('Copy address')}
      </Button>
      <span className="visually-hidden" role="status">
        {copied && t('Copied!')}
      </span>
      <p className={classes.only}>
        <IconAlertTriangle size={16} className={classes.warning} aria-hidden />
        <span>
          {t('Send only {{coin}} on {{network}} to this address. Anything else will not arrive and may be lost.', {
            coin,
            network: network.name,
          })}{' '}
          {network.is_development &&
            t('This is a test network inside the development server: real coins sent here are lost.')}
        </span>
      </p>
    </div>
  );
}
