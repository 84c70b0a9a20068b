/** Words that only the person and we know, in every mail of ours: first the words, then the mailed code. */
import { antiPhishingGetCode, setAntiPhishing } from '@cambist/contract/security.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ensureSent, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { CodeDialog } from '../code-dialog.tsx';
import classes from '../parts.module.css';
import { Loaded, Row, Section } from '../parts.tsx';
import { overviewQuery } from '../queries.ts';
import { SubPage } from '../sub-page.tsx';
import { useAct } from '../use-act.ts';

const PHRASE = /^[\p{L}\p{N}]{4,20}$/u;

export function AntiPhishingPage() {
  const overview = useQuery(overviewQuery);
  const [open, setOpen] = useState(false);
  return (
    <SubPage title={t('Anti-phishing code')}>
      <Section title={t('Your code')}>
        <Loaded query={overview} rows={2}>
          {({ anti_phishing_code: phrase, email }) => (
            <>
              <Row
                title={phrase || t('Not Set')}
                hint={t('It appears in every email we send. An email without it is not from us.')}
              >
                <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                  {phrase ? t('Change') : t('Create code')}
                </Button>
              </Row>
              {open && <PhraseDialog email={email} onClose={() => setOpen(false)} />}
            </>
          )}
        </Loaded>
      </Section>
    </SubPage>
  );
}

interface PhraseDialogProps {
  readonly email: string;
  readonly onClose: () => void;
}

function PhraseDialog({ email, onClose }: PhraseDialogProps) {
  const [phrase, setPhrase] = useState('');
  const [error, setError] = useState<string>();
  const [codeError, setCodeError] = useState<string>();
  const [asksCode, setAsksCode] = useState(false);
  const send = useMutation({
    mutationFn: () => ensureSent(() => call(antiPhishingGetCode)),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: () => setAsksCode(true),
  });
  const save = useAct(
    (verification_code: string) =>
      call(setAntiPhishing, { query: { anti_phishing_code: phrase.trim(), verification_code } }),
    ({ message }) => {
      if (message !== 'success') return setCodeError(t('Code do not Match'));
      noticeSuccess(t('Success'), t('Saved'));
      onClose();
    },
  );
  if (asksCode) {
    return (
      <CodeDialog
        title={t('Anti-phishing code')}
        sentTo={email}
        error={codeError}
        isPending={save.isPending}
        onCode={save.mutate}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title={t('Create code')} size="sm">
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const isGood = PHRASE.test(phrase.trim());
          setError(isGood ? undefined : t('Please enter 4-20 characters, excluding special symbols'));
          if (isGood) send.mutate();
        }}
      >
        <TextInput
          label={t('Anti-phishing code')}
          autoComplete="off"
          maxLength={40}
          data-autofocus
          value={phrase}
          error={error}
          onChange={(event) => setPhrase(event.currentTarget.value)}
        />
        <Button type="submit" loading={send.isPending}>
          {t('Send code')}
        </Button>
      </form>
    </Dialog>
  );
}
