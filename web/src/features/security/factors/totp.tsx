/** The authenticator app: connecting it by a code to scan, its recovery codes, and taking it away. */
import { disableTotp, enableTotp, renewRecoveryCodes, totpEnrolment } from '@cambist/contract/security.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { saveBlob } from '../../../lib/save-file.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyField, useCopy } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeSuccess } from '../../../ui/notices.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { Loading } from '../../../ui/states.tsx';
import classes from '../parts.module.css';
import { Row } from '../parts.tsx';
import type { Overview } from '../queries.ts';
import { useAct } from '../use-act.ts';

const QrCode = lazyPart(async () => ({ default: (await import('../../../ui/qr-code.tsx')).QrCode }));
const QR_SIZE = 176;
const FILE_OF_CODES = 'cambist-recovery-codes.txt';

interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/**
 * Codes that were made and not yet said to be saved: their answer may be lost, or the page was loaded anew. The server keeps only
 * what they hash to, so that a session that was stolen cannot read them either.
 */
function useCodes() {
  const [codes, setCodes] = useState<readonly string[]>();
  const [isUnsaved, setUnsaved] = useDraft('recovery codes', false);
  async function make<Answer extends { readonly message: string }>(ask: () => Promise<Answer>): Promise<Answer> {
    setUnsaved(true);
    try {
      const answer = await ask();
      if (answer.message !== 'success') setUnsaved(isUnsaved);
      return answer;
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.undecided)) setUnsaved(isUnsaved);
      throw problem;
    }
  }
  const save = () => {
    setCodes(undefined);
    setUnsaved(false);
  };
  return { codes, isUnsaved, show: setCodes, make, save };
}

type Codes = ReturnType<typeof useCodes>;

function useTotp({ make, show }: Codes) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [error, setError] = useState<string>();
  const enrol = useAct(() => call(totpEnrolment), setEnrolment);
  const leave = () => {
    setEnrolment(undefined);
    setError(undefined);
  };
  const enable = useAct(
    (code: string) => make(() => call(enableTotp, { body: { code } })),
    ({ message, recovery_codes: made }) => {
      if (message !== 'success') return setError(t('Code do not Match'));
      leave();
      show(made);
    },
  );
  const renew = useAct(
    () => make(() => call(renewRecoveryCodes)),
    (answer) => show(answer.recovery_codes),
  );
  return { enrolment, error, setError, leave, enrol, enable, renew };
}

function hintOf(totp: Overview['totp'], isLost: boolean): string {
  if (isLost) return t('The recovery codes did not arrive. Make new ones.');
  if (totp.enabled) return t('Recovery codes left: {{count}}', { count: totp.recovery_codes_left });
  return t('Six digits from an app on your phone, required when you log in and before anything sensitive.');
}

export function Totp({ totp }: Pick<Overview, 'totp'>) {
  const codes = useCodes();
  const { enrolment, error, setError, leave, enrol, enable, renew } = useTotp(codes);
  const [ending, setEnding] = useState(false);
  const [isLater, setLater] = useState(false);
  const isLost = totp.enabled && codes.isUnsaved && !codes.codes && !enable.isPending && !renew.isPending;
  const makeNew = () => renew.mutate(undefined);
  return (
    <>
      <Row title={t('Authenticator app')} hint={hintOf(totp, isLost)} state={totp.enabled ? t('On') : t('Off')}>
        {totp.enabled ? (
          <>
            <Button variant="default" size="xs" loading={renew.isPending} onClick={makeNew}>
              {t('New recovery codes')}
            </Button>
            <Button variant="default" size="xs" onClick={() => setEnding(true)}>
              {t('Disconnect app')}
            </Button>
          </>
        ) : (
          <Button variant="default" size="xs" loading={enrol.isPending} onClick={() => enrol.mutate(undefined)}>
            {t('Connect an app')}
          </Button>
        )}
      </Row>
      {/* Connected, though no answer said so: it could not be connected again. */}
      {enrolment && !totp.enabled && (
        <EnrolmentDialog
          enrolment={enrolment}
          error={error}
          isPending={enable.isPending}
          onError={setError}
          onCode={enable.mutate}
          onClose={leave}
        />
      )}
      {codes.codes && <CodesDialog codes={codes.codes} onClose={codes.save} />}
      {isLost && !isLater && <LostDialog isPending={renew.isPending} onNew={makeNew} onClose={() => setLater(true)} />}
      {ending && <EndDialog onClose={() => setEnding(false)} />}
    </>
  );
}

function EndDialog({ onClose }: { readonly onClose: () => void }) {
  const end = useAct(
    () => call(disableTotp),
    () => {
      noticeSuccess(t('Success'), t('App disconnected.'));
      onClose();
    },
  );
  return (
    <ConfirmDialog
      opened
      title={t('Disconnect the app?')}
      facts={[
        { name: t('Logging in'), value: t('No second factor') },
        { name: t('Withdrawals'), value: t('Paused for 24 hours') },
      ]}
      action={t('Disconnect app')}
      busy={end.isPending}
      onConfirm={() => end.mutate(undefined)}
      onClose={onClose}
    />
  );
}

interface LostDialogProps {
  readonly isPending: boolean;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

function LostDialog({ isPending, onNew, onClose }: LostDialogProps) {
  return (
    <Dialog onClose={onClose} title={t('Your app is connected')} size="sm">
      <div className={classes.form}>
        <p className={classes.note}>
          {t(
            'Its recovery codes did not arrive here, or were not saved. Make new ones, so that you can log in without your phone.',
          )}
        </p>
        <Button loading={isPending} onClick={onNew}>
          {t('New recovery codes')}
        </Button>
      </div>
    </Dialog>
  );
}

interface EnrolmentDialogProps {
  readonly enrolment: Enrolment;
  readonly error: string | undefined;
  readonly isPending: boolean;
  readonly onError: (error: string) => void;
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
}

function EnrolmentDialog({ enrolment, error, isPending, onError, onCode, onClose }: EnrolmentDialogProps) {
  const [code, setCode] = useState('');
  // Apps show it in two groups.
  const digits = code.replaceAll(/\s/g, '');
  return (
    <Dialog onClose={onClose} title={t('Connect an authenticator app')} size="sm">
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (/^\d{6}$/.test(digits)) onCode(digits);
          else onError(t('A code has six digits'));
        }}
      >
        <p className={classes.note}>{t('Scan this with the app, or enter the secret by hand.')}</p>
        <div className={classes.qr}>
          <Suspense fallback={<Loading />}>
            <QrCode value={enrolment.uri} size={QR_SIZE} label={t('Authenticator code')} />
          </Suspense>
        </div>
        <CopyField label={t('Secret')} value={enrolment.secret} />
        <TextInput
          label={t('Authenticator code')}
          description={t('Withdrawals are paused for 24 hours after this.')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={code}
          error={error}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          {t('Connect')}
        </Button>
      </form>
    </Dialog>
  );
}

interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shown this once: the server keeps only what they hash to. Escape, or a click beside it, would lose them. */
function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const text = codes.join('\n');
  const { copied, copy } = useCopy(t('Recovery codes'), text);
  const save = () => saveBlob(FILE_OF_CODES, new Blob([`${text}\n`], { type: 'text/plain' }));
  return (
    <Dialog onClose={onClose} title={t('Recovery codes')} size="sm" closeOnClickOutside={false} closeOnEscape={false}>
      <div className={classes.form}>
        <p className={classes.note}>
          {t(
            "Keep them somewhere other than your phone. Each works once in place of the app. They won't be shown again.",
          )}
        </p>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group grow>
          <Button variant="default" onClick={() => void copy()}>
            {copied ? t('Copied!') : t('Copy codes')}
          </Button>
          <Button variant="default" onClick={save}>
            {t('Download')}
          </Button>
        </Group>
        <span className="visually-hidden" role="status">
          {copied && t('Copied!')}
        </span>
        <Button onClick={onClose}>{t("I've saved my codes")}</Button>
      </div>
    </Dialog>
  );
}
