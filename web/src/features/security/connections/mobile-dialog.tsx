/** Binding a mobile number: the number, then the code that came to it. */
import { sendSmsCode, verifyMobile } from '@cambist/contract/profile.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ensureSent, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { NO_PHONE, phoneError, phoneText, useCountries } from '../../../lib/phone.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeSuccess } from '../../../ui/notices.ts';
import { PhoneField } from '../../../ui/phone-field.tsx';
import { CodeDialog } from '../code-dialog.tsx';
import classes from '../parts.module.css';
import { useAct } from '../use-act.ts';

export function MobileDialog({ onClose }: { readonly onClose: () => void }) {
  const countries = useCountries();
  const [phone, setPhone] = useState(NO_PHONE);
  const [error, setError] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string>();
  const [codeError, setCodeError] = useState<string>();
  const send = useMutation({
    mutationFn: (mobile_number: string) => ensureSent(() => call(sendSmsCode, { query: { mobile_number } })),
    onError: (problem) => setError(messageOf(problem)),
    onSuccess: (_answer, number) => setSentTo(number),
  });
  const verify = useAct(
    (verification_code: string) => call(verifyMobile, { query: { mobile_number: sentTo ?? '', verification_code } }),
    ({ message }) => {
      if (message !== 'success') return setCodeError(t('Code do not Match'));
      noticeSuccess(t('Success'), t('Your mobile number is verified.'));
      onClose();
    },
  );
  if (sentTo !== undefined) {
    return (
      <CodeDialog
        title={t('Verify your number')}
        sentTo={sentTo}
        error={codeError}
        isPending={verify.isPending}
        onCode={verify.mutate}
        onBack={() => setSentTo(undefined)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title={t('Add number')} size="sm">
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = phoneError(phone);
          setError(wrong);
          if (wrong === null) send.mutate(phoneText(phone, countries));
        }}
      >
        <PhoneField countries={countries} value={phone} error={error} onChange={setPhone} />
        <Button type="submit" loading={send.isPending}>
          {t('Send code')}
        </Button>
      </form>
    </Dialog>
  );
}
