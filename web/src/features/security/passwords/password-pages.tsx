import { useNavigate } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { SubPage } from '../sub-page.tsx';
import { PasswordForm } from './password-form.tsx';
import { type PasswordKind, passwordTexts } from './password-rules.ts';

function PasswordPage({ kind }: { readonly kind: PasswordKind }) {
  const navigate = useNavigate();
  return (
    <SubPage title={t(passwordTexts[kind].title)}>
      <PasswordForm kind={kind} onChanged={() => void navigate('/account/security')} />
    </SubPage>
  );
}

export const ChangePasswordPage = () => <PasswordPage kind="password" />;
export const ChangeTransactionPasswordPage = () => <PasswordPage kind="transaction-password" />;
