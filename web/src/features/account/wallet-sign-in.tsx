/** Sign-in by a wallet extension: found by EIP-6963, asked to sign an EIP-4361 message over a nonce of the server. */
import { walletNonce, web3Login } from '@cambist/contract/wallet-sign-in.ts';
import { Button, Stack } from '@mantine/core';
import type { EIP1193Provider, EIP6963ProviderDetail } from 'mipd';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { findWallets, isRejected } from '../../lib/wallet-extensions.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { noticeError } from '../../ui/notices.ts';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import { noticeEntryFailed, useEntry } from './use-entry.ts';

async function signWith(provider: EIP1193Provider) {
  const { fromString } = await import('ox/Hex');
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  if (!address) throw new Error('The wallet gave no address');
  const chain = await provider.request({ method: 'eth_chainId' });
  const { message } = await call(walletNonce, { body: { address, chain_id: Number(chain) } });
  const signature = await provider.request({ method: 'personal_sign', params: [fromString(message), address] });
  return { username: address, message, signature };
}

export function WalletSignIn({ icon }: { readonly icon: ReactNode }) {
  const [choices, setChoices] = useState<readonly EIP6963ProviderDetail[]>();
  const { enter, isPending, secondFactor } = useEntry({
    onRefused: (problem) => {
      if (isRejected(problem)) return;
      console.error('The wallet could not be used to sign in', problem);
      noticeEntryFailed(messageOf(problem));
    },
  });
  const use = ({ provider }: EIP6963ProviderDetail) => {
    setChoices(undefined);
    let signed: ReturnType<typeof signWith> | undefined;
    enter(async (factor) => {
      // Signed once, also when a second factor is asked for afterwards.
      signed ??= signWith(provider);
      return call(web3Login, { body: { ...(await signed), ...(factor ? { second_factor: factor } : {}) } });
    });
  };
  const begin = async () => {
    const wallets = await findWallets();
    const [only] = wallets;
    if (!only) {
      console.error('No wallet extension announced itself');
      return noticeError(t('No wallet found'), t('Install a wallet extension in this browser, then try again.'));
    }
    if (wallets.length === 1) use(only);
    else setChoices(wallets);
  };
  return (
    <>
      <Button variant="default" size="md" leftSection={icon} loading={isPending} onClick={() => void begin()}>
        {t('Log in with a wallet')}
      </Button>
      <Dialog
        opened={choices !== undefined}
        onClose={() => setChoices(undefined)}
        title={t('Choose a wallet')}
        size="sm"
      >
        <Stack gap="xs">
          {choices?.map((choice) => (
            <Button key={choice.info.uuid} variant="default" size="md" onClick={() => use(choice)}>
              {choice.info.name}
            </Button>
          ))}
        </Stack>
      </Dialog>
      <SecondFactorDialog {...secondFactor} />
    </>
  );
}
