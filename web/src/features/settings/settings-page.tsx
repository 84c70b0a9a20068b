/** What a person may choose about looks and comfort, which stays on the device, and which notifications they get. */
import { LOCALES, type LocaleName } from '@cambist/contract/locales.ts';
import { changeNotificationChoices } from '@cambist/contract/notifications.ts';
import { Radio, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../lib/api-client.ts';
import { messageOf, titleOf } from '../../lib/api-problem.ts';
import { useFillPreferences } from '../../lib/fill-preferences.ts';
import { playFillSound } from '../../lib/fill-sound.ts';
import { msg, t, useLocale } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';
import { choicesQuery } from '../../lib/queries/notifications.ts';
import { useSession } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Change } from '../../ui/figures.tsx';
import { noticeError } from '../../ui/notices.ts';
import { Page } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './settings-page.module.css';

const SCHEMES = [
  { value: 'dark', label: msg('Dark') },
  { value: 'light', label: msg('Light') },
] as const;

const DIRECTIONS = [
  { value: 'green-red', label: msg('Green up, red down') },
  { value: 'blue-orange', label: msg('Blue up, orange down') },
] as const;

export function SettingsPage() {
  useTitle(t('Settings'));
  const preferences = usePreferences();
  const language = useLocale().name;
  const isClient = useSession((session) => session.client?.role === 'client');
  return (
    <Page title={t('Settings')} narrow>
      <Setting title={t('Language')} hint={t('Also sets the format of numbers and dates.')}>
        <Select
          aria-label={t('Language')}
          data={LOCALES.map(({ name, label }) => ({ value: name, label }))}
          value={language}
          allowDeselect={false}
          onChange={(name) => preferences.setLocale((name ?? undefined) as LocaleName | undefined)}
        />
      </Setting>
      <Setting title={t('Theme')} hint={t('The login and sign-up pages are always light.')}>
        <Choice
          label={t('Theme')}
          choices={SCHEMES}
          value={preferences.scheme}
          onChange={(value) => preferences.setScheme(value)}
        />
      </Setting>
      <Setting title={t('Price colors')} hint={t('A sign or an arrow always accompanies the color.')}>
        <Choice
          label={t('Price colors')}
          choices={DIRECTIONS}
          value={preferences.direction}
          onChange={(value) => preferences.setDirection(value)}
        />
        <p className={classes.example}>
          <Change value="2.45" arrow /> <Change value="-1.3" arrow />
        </p>
      </Setting>
      <Setting
        title={t('Order confirmation')}
        hint={t('Without it, orders are placed immediately while trading is unlocked on this device.')}
      >
        <Switch
          label={t('Show a summary before each order')}
          checked={!preferences.skipConfirmation}
          onChange={(event) => preferences.setSkipConfirmation(!event.currentTarget.checked)}
        />
      </Setting>
      <FilledOrders />
      {isClient && <FundingPayments />}
    </Page>
  );
}

function FilledOrders() {
  const { notices, sound, set } = useFillPreferences();
  return (
    <Setting title={t('Filled orders')} hint={t('Partial fills are quiet. All fills are listed under Notifications.')}>
      <Switch
        label={t('Show a notice')}
        checked={notices}
        onChange={(event) => set({ notices: event.currentTarget.checked })}
      />
      <Switch
        mt="sm"
        label={t('Play a sound')}
        checked={sound}
        onChange={(event) => {
          set({ sound: event.currentTarget.checked });
          // One hears what was chosen, and the browser lets the page play from then on.
          if (event.currentTarget.checked) void playFillSound().catch(() => undefined);
        }}
      />
    </Setting>
  );
}

/** Kept with the account: the server writes the notifications. */
function FundingPayments() {
  const queries = useQueryClient();
  const choices = useQuery(choicesQuery).data?.choices;
  const change = useMutation({
    mutationFn: (funding: boolean) => call(changeNotificationChoices, { body: { funding } }),
    onSuccess: ({ choices: kept }) => queries.setQueryData(choicesQuery.queryKey, { choices: kept }),
    onError: (error) => noticeError(titleOf(error, t('Action failed')), messageOf(error)),
  });
  return (
    <Setting
      title={t('Funding payments')}
      hint={t('With an open perpetual position, you pay or receive funding after each interval. For all your devices.')}
    >
      <Switch
        label={t('Notify me of each payment')}
        checked={choices?.funding ?? true}
        disabled={choices === undefined || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </Setting>
  );
}

interface SettingProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Setting({ title, hint, children }: SettingProps) {
  return (
    <section className={classes.setting}>
      <div>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.hint}>{hint}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, choices, value, onChange }: ChoiceProps<Value>) {
  return (
    // By `label`, which names the group itself; the heading beside it is what the eye reads.
    <Radio.Group
      label={<span className="visually-hidden">{label}</span>}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
    >
      {choices.map((choice) => (
        <Radio key={choice.value} value={choice.value} label={t(choice.label)} className={classes.radio ?? ''} />
      ))}
    </Radio.Group>
  );
}
