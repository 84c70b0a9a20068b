import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import classes from '../parts.module.css';
import { Loaded, Section } from '../parts.tsx';
import { PasswordRows } from '../passwords/password-dialogs.tsx';
import { type Profile, profileQuery, summaryQuery } from '../queries.ts';
import { EditDialog, GENDERS } from './edit-dialog.tsx';
import { Limits } from './limits.tsx';
import { AccountSummary, Fact, LevelChip, StatusChip, type Summary } from './summary.tsx';

export function ProfilePage() {
  useTitle(t('Profile'));
  const summary = useQuery(summaryQuery);
  const person = useQuery(profileQuery);
  return (
    <Page title={t('Profile')}>
      <Loaded query={summary} rows={4}>
        {(data) => (
          <>
            <AccountSummary summary={data} />
            <Identity summary={data} />
          </>
        )}
      </Loaded>
      <Loaded query={person} rows={4}>
        {({ profile: data }) => <Personal profile={data} />}
      </Loaded>
      <Limits />
      <Section title={t('Passwords')}>
        <PasswordRows />
      </Section>
    </Page>
  );
}

function Identity({ summary }: { readonly summary: Summary }) {
  return (
    <Section title={t('Account')}>
      <div className={classes.chips}>
        <StatusChip status={summary.account_status} />
        <LevelChip level={summary.membership_level} />
      </div>
      <dl className={classes.facts}>
        <Fact name={t('Email')} value={summary.email || t('Not Set')} />
        <Fact name={t('UID')} value={summary.user_unique_id} />
      </dl>
    </Section>
  );
}

function Personal({ profile: person }: { readonly profile: Profile }) {
  const [editing, setEditing] = useState(false);
  const shown = [
    { name: t('Legal Name'), value: person.name },
    { name: t('Gender'), value: person.gender && t(GENDERS[person.gender]) },
    { name: t('Date of Birth'), value: person.date_of_birth },
    { name: t('Address'), value: person.address },
    { name: t('Mobile'), value: person.mobile_number },
  ];
  return (
    <Section
      title={t('Personal information')}
      aside={
        <Button variant="default" size="xs" onClick={() => setEditing(true)}>
          {t('Edit')}
        </Button>
      }
    >
      <dl className={classes.facts}>
        {shown.map(({ name, value }) => (
          <Fact key={name} name={name} value={value || t('Not Set')} />
        ))}
      </dl>
      {editing && <EditDialog profile={person} onClose={() => setEditing(false)} />}
    </Section>
  );
}
