/** The way back from a third party's sign-in. */
import { connectProvider, googleLogin } from '@cambist/contract/oauth.ts';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { messageOf, titleOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { keepForSignUp, type Returned, takeReturn } from '../../lib/provider.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { Loading } from '../../ui/states.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import { useEntry } from './use-entry.ts';

const GOOGLE_DELAY_MS = 1_500;
const CONNECTIONS = '/account/security/account_connections';

export function RedirectPage() {
  useTitle(t('Log in'));
  const navigate = useNavigate();
  const returned = useRef<Returned>(undefined);
  const { enter, secondFactor } = useEntry({
    delayMs: GOOGLE_DELAY_MS,
    frozenText: t('Your account has been freezed. Please contact support for more details.'),
    onRefused: () => {
      keepForSignUp(returned.current?.email ?? '');
      void navigate('/signup', { replace: true });
    },
  });
  const begin = useRef((back: Returned) => {
    const { code, email, purpose, verifier } = back;
    // Without a verifier another page began it, or none did.
    const proof = { code: code ?? '', verifier: verifier ?? '' };
    if (purpose === 'connect') return void connect(proof, navigate);
    enter((factor) => {
      if (!code || !verifier) return Promise.reject(new Error('The provider sent no code for this page'));
      return call(googleLogin, { body: { username: email, ...proof, ...(factor ? { second_factor: factor } : {}) } });
    });
  });
  useEffect(() => {
    // The code is good once, and development runs effects twice.
    if (returned.current) return;
    returned.current = takeReturn();
    begin.current(returned.current);
  }, []);
  return (
    <>
      <Loading text={t('Redirecting please wait...')} />
      <SecondFactorDialog {...secondFactor} />
    </>
  );
}

async function connect(proof: { code: string; verifier: string }, navigate: ReturnType<typeof useNavigate>) {
  try {
    const { message } = await call(connectProvider, { params: { provider: 'google' }, body: proof });
    if (message === 'success') noticeSuccess(t('Success'), t('Google is connected.'));
    else noticeError(t('Not connected'), t('This Google account is connected to another account here.'));
  } catch (problem) {
    noticeError(titleOf(problem, t('Not connected')), messageOf(problem));
  }
  await navigate(CONNECTIONS, { replace: true });
}
