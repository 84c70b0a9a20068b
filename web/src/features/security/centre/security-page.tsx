/** Everything that protects the account, on one screen: what is on, what is missing, and where to change it. */
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { History, Sessions } from '../access/sessions.tsx';
import { Passkeys } from '../factors/passkeys.tsx';
import { Totp } from '../factors/totp.tsx';
import { LinkRow, Loaded, Section } from '../parts.tsx';
import { PasswordRows } from '../passwords/password-dialogs.tsx';
import { type Overview, overviewQuery } from '../queries.ts';
import { Privacy } from './privacy.tsx';
import { Holds, Score } from './score.tsx';
import { Withdrawals } from './withdrawals.tsx';

export function SecurityPage() {
  useTitle(t('Security'));
  const overview = useQuery(overviewQuery);
  return (
    <Page title={t('Security')}>
      <Loaded query={overview} rows={12}>
        {(data) => <Centre overview={data} />}
      </Loaded>
    </Page>
  );
}

function Centre({ overview }: { readonly overview: Overview }) {
  const { mobile, anti_phishing_code: phrase } = overview;
  return (
    <>
      <Holds holds={overview.holds} />
      <Score overview={overview} />
      <Section title={t('Logging in')}>
        <PasswordRows />
        <LinkRow
          to="/account/security/account_connections"
          title={t('Account connections')}
          hint={t('Google, Apple, your mobile number and your wallet.')}
          state={mobile.number || t('Not Set')}
        />
        <LinkRow
          to="/account/security/anti_phishing"
          title={t('Anti-phishing code')}
          hint={t('Appears in our emails so you can spot fakes.')}
          state={phrase || t('Not Set')}
        />
        <LinkRow
          to="/account/security/app_authorization"
          title={t('App authorization')}
          hint={t('API keys and apps with access to your account.')}
        />
      </Section>
      <Section title={t('Two-factor authentication (optional)')}>
        <Totp totp={overview.totp} />
        <Passkeys />
      </Section>
      <Withdrawals overview={overview} />
      <Sessions />
      <History />
      <Privacy />
    </>
  );
}
