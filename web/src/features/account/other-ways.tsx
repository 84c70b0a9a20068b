/** Ways in that need no password: Google, a wallet extension, a passkey. Only those that the operator has set up. */

import { passkeySignIn, passkeySignInOptions } from '@cambist/contract/passkeys.ts';
import { waysIn } from '@cambist/contract/sign-in.ts';
import { Button, Divider, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { goToProvider } from '../../lib/provider.ts';
import { IconWallet } from '../../ui/first-icons.ts';
import { IconBrandGoogle, IconFingerprint } from '../../ui/icons.ts';
import { noticeError } from '../../ui/notices.ts';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import { noticeEntryFailed, useEntry } from './use-entry.ts';
import { WalletSignIn } from './wallet-sign-in.tsx';

export function OtherWays() {
  const ways = useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => call(waysIn, { signal }),
    staleTime: 60_000,
  }).data;
  const google = useMutation({
    mutationFn: () => goToProvider('google'),
    onError: () => noticeError(t('Error!'), t('Something went wrong')),
  });
  if (!ways || !(ways.google || ways.wallet || ways.passkey)) return null;
  return (
    <>
      <Divider my="lg" label={t('or')} />
      <Stack gap="sm">
        {ways.google && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconBrandGoogle size={18} stroke={1.6} />}
            loading={google.isPending}
            onClick={() => google.mutate()}
          >
            {t('Continue with Google')}
          </Button>
        )}
        {ways.wallet && <WalletSignIn icon={<IconWallet size={18} stroke={1.6} />} />}
        {ways.passkey && <PasskeySignIn />}
      </Stack>
    </>
  );
}

function PasskeySignIn() {
  const { enter, isPending, secondFactor } = useEntry({
    // Closing the browser's own dialog is no failure.
    onRefused: (problem) => {
      if (problem instanceof DOMException || (problem instanceof Error && problem.name === 'NotAllowedError')) return;
      noticeEntryFailed(messageOf(problem));
    },
  });
  const signIn = async () => {
    const [{ startAuthentication }, begun] = await Promise.all([
      import('@simplewebauthn/browser'),
      call(passkeySignInOptions),
    ]);
    const response = await startAuthentication({ optionsJSON: begun.options as never });
    return call(passkeySignIn, { body: { challenge_id: begun.challenge_id, response: response as never } });
  };
  return (
    <>
      <Button
        variant="default"
        size="md"
        leftSection={<IconFingerprint size={18} stroke={1.6} />}
        loading={isPending}
        onClick={() => enter(signIn)}
      >
        {t('Log in with a passkey')}
      </Button>
      <SecondFactorDialog {...secondFactor} />
    </>
  );
}
