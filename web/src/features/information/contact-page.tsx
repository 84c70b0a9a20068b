/** How to reach the operator: the addresses that he gives, and a form that arrives in the support inbox. */
import { EMAIL } from '@cambist/contract/email.ts';
import { contact, SUPPORT_TOPICS } from '@cambist/contract/support.ts';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { messageOf, titleOf } from '../../lib/api-problem.ts';
import { useDraft } from '../../lib/drafts.ts';
import { msg, t, useLocale } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { sendMessageOnce, visitorTokenOf } from '../../lib/send-once.ts';
import { useSession } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError } from '../../ui/notices.ts';
import { Page } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './contact-page.module.css';

type Topic = (typeof SUPPORT_TOPICS)[number];

const TOPICS: Readonly<Record<Topic, string>> = {
  account: msg('My account'),
  deposit: msg('A deposit'),
  withdrawal: msg('A withdrawal'),
  trading: msg('Trading'),
  verification: msg('Verification'),
  security: msg('Security'),
  business: msg('Business'),
  other: msg('Something else'),
};

const MESSAGE_LIMIT = 4_000;

interface Message {
  readonly name: string;
  readonly email: string;
  readonly topic: Topic;
  readonly message: string;
}

export function ContactPage() {
  useTitle(t('Contact us'));
  const [draft, setDraft] = useDraft<Message | undefined>('contact', undefined);
  const send = useMutation({
    mutationFn: (body: Message & { readonly locale: string }) =>
      sendMessageOnce('contact', body, async (idempotencyKey) => {
        const first_token = await visitorTokenOf(idempotencyKey);
        return call(contact, { body: { ...body, first_token }, idempotencyKey });
      }),
    onError: (error) => noticeError(titleOf(error, t('Sending failed')), messageOf(error)),
    onSuccess: () => setDraft(undefined),
  });
  return (
    <Page title={t('Contact us')} narrow>
      <Addresses />
      {send.data ? (
        <p className={classes.sent} role="status">
          {t('Thank you. Your message number is {{number}}.', { number: send.data.reference })}{' '}
          {send.data.confirmation_sent
            ? t("We've confirmed it by email and will reply there.")
            : t("We'll reply by email.")}
        </p>
      ) : (
        <ContactForm draft={draft} onWrite={setDraft} busy={send.isPending} onSend={(body) => send.mutate(body)} />
      )}
    </Page>
  );
}

function Addresses() {
  const contacts = useContent('contacts').data;
  if (!contacts) return null;
  const mails = [
    { name: t('Support'), address: contacts.support_email },
    { name: t('Business'), address: contacts.business_email },
    { name: t('Privacy'), address: contacts.privacy_email },
  ].filter(({ address }) => address !== '');
  return (
    <dl className={classes.addresses}>
      {mails.map(({ name, address }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <a href={`mailto:${address}`}>{address}</a>
          </dd>
        </div>
      ))}
      {contacts.postal_address && (
        <div>
          <dt>{t('Post')}</dt>
          <dd>{contacts.postal_address}</dd>
        </div>
      )}
      {contacts.hours && (
        <div>
          <dt>{t('Hours')}</dt>
          <dd>{contacts.hours}</dd>
        </div>
      )}
    </dl>
  );
}

interface ContactFormProps {
  readonly draft: Message | undefined;
  readonly onWrite: (message: Message) => void;
  readonly busy: boolean;
  readonly onSend: (body: Message & { readonly locale: string }) => void;
}

function ContactForm({ draft, onWrite, busy, onSend }: ContactFormProps) {
  const user = useSession((session) => session.user);
  const locale = useLocale().name;
  const form = useForm({
    initialValues: draft ?? { name: '', email: user?.email ?? '', topic: 'other', message: '' },
    onValuesChange: onWrite,
    validate: {
      name: (name) => (name.trim() ? null : t('Field is required')),
      email: (email) => (EMAIL.test(email.trim()) ? null : t('E-mail must be valid')),
      message: (message) => (message.trim() ? null : t('Enter a message')),
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => onSend({ ...values, email: values.email.trim(), locale }), toFirstError)}
    >
      <TextInput label={t('Your name')} autoComplete="name" maxLength={100} {...form.getInputProps('name')} />
      <TextInput label={t('Email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
      <Select
        label={t('What is it about?')}
        data={SUPPORT_TOPICS.map((value) => ({ value, label: t(TOPICS[value]) }))}
        allowDeselect={false}
        {...form.getInputProps('topic')}
      />
      <Textarea
        label={t('Message')}
        autosize
        minRows={5}
        maxLength={MESSAGE_LIMIT}
        {...form.getInputProps('message')}
      />
      <Button type="submit" loading={busy} className={classes.send ?? ''}>
        {t('Send')}
      </Button>
    </form>
  );
}
