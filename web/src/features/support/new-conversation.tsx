import { EMAIL } from '@cambist/contract/email.ts';
import { SUPPORT_TOPICS } from '@cambist/contract/support.ts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { messageOf } from '../../lib/api-problem.ts';
import { useDraft } from '../../lib/drafts.ts';
import { t } from '../../lib/i18n.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { toFirstError } from '../../ui/first-error.ts';
import classes from './chat.module.css';
import { useOpenConversation } from './support-queries.ts';
import { TOPICS, type Topic } from './topics.ts';

const MESSAGE_LIMIT = 4_000;
const SUBJECT_LIMIT = 150;

interface Opening {
  readonly topic: Topic;
  readonly subject: string;
  readonly message: string;
  readonly email: string;
}

const BLANK: Opening = { topic: 'other', subject: '', message: '', email: '' };

interface NewConversationProps {
  readonly onOpened: (id: number) => void;
}

export function NewConversation({ onOpened }: NewConversationProps) {
  const signedIn = useSignedIn();
  const [draft, setDraft] = useDraft('conversation', BLANK);
  const open = useOpenConversation((id) => {
    setDraft(BLANK);
    onOpened(id);
  });
  const form = useForm({
    initialValues: draft,
    onValuesChange: (values) => setDraft(values),
    validate: {
      subject: (subject) => (subject.trim() ? null : t('Field is required')),
      message: (message) => (message.trim() ? null : t('Enter a message')),
      email: (email) => (email === '' || EMAIL.test(email.trim()) ? null : t('E-mail must be valid')),
    },
  });
  const send = form.onSubmit((values) => open.mutate(values), toFirstError);
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <p className={classes.greeting}>
        {t('Send us a message and a person will reply here. Never share a password or a code.')}
      </p>
      <NativeSelect
        label={t('Topic')}
        data={SUPPORT_TOPICS.map((value) => ({ value, label: t(TOPICS[value]) }))}
        {...form.getInputProps('topic')}
      />
      <TextInput label={t('Subject')} maxLength={SUBJECT_LIMIT} {...form.getInputProps('subject')} />
      <Textarea
        label={t('Message')}
        autosize
        minRows={4}
        maxRows={10}
        maxLength={MESSAGE_LIMIT}
        {...form.getInputProps('message')}
      />
      {!signedIn && (
        <TextInput
          label={t('Email (optional, to get the answer by email too)')}
          type="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
      )}
      {open.error && (
        <p className={classes.error} role="alert">
          {messageOf(open.error)}
        </p>
      )}
      <Button type="submit" loading={open.isPending}>
        {t('Send')}
      </Button>
    </form>
  );
}
