/** The way back from a third party's sign-in. */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Loading } from '../../ui/states.tsx';

export function RedirectPage() {
  useTitle(t('Sign in'));
  const navigate = useNavigate();
  useEffect(() => {
    void navigate('/signin', { replace: true });
  }, [navigate]);
  return <Loading text={t('Redirecting please wait...')} />;
}
