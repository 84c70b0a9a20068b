/** The client's own part in the newest run, checked here by the same file that can be run by itself. */
import {
  LIABILITIES_VERSION,
  type LiabilityRun,
  type OwnLiabilities,
  ownLiabilities,
} from '@cambist/contract/liabilities.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { toText } from '../../lib/decimal.ts';
import { formatDateTime, formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { saveJson } from '../../lib/save-file.ts';
import { useSession } from '../../lib/session-store.ts';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/first-icons.ts';
import { IconCircleCheck } from '../../ui/icons.ts';
import { ErrorState } from '../../ui/states.tsx';
import classes from './proof-page.module.css';

const SCRIPT = '/verify-liabilities.mjs';
const FILE = 'cambist-proof.json';
const COMMAND = `node verify-liabilities.mjs ${FILE} UID EMAIL`;

interface Owed {
  readonly coin: string;
  readonly scale: number;
  /** Smallest units. */
  readonly sum: string;
}

/** What the session knows of the client, which a proof must be bound to. */
interface Own {
  readonly uid: string;
  readonly email: string;
}

interface Verifier {
  /**
   * Throws with the reason when anything of what was told does not hold; `code` is OTHER_UID or OTHER_EMAIL where the proof
   * is bound to another client.
   */
  verify(told: OwnLiabilities, own: Own): Promise<Owed[]>;
}

interface Checked {
  readonly told: OwnLiabilities;
  readonly own: Own;
}

type Result =
  | (Checked & { readonly kind: 'counted'; readonly owed: readonly Owed[]; readonly ms: number })
  | (Checked & { readonly kind: 'wrong'; readonly reason: string })
  | (Checked & { readonly kind: 'other-uid' | 'other-email' | 'unable' });

const MISMATCHES: Readonly<Record<string, 'other-uid' | 'other-email'>> = {
  OTHER_UID: 'other-uid',
  OTHER_EMAIL: 'other-email',
};

/** Checks the proof of the run on the page: another one would be compared with a commitment that no client has seen. */
async function check({ batch, commitment }: LiabilityRun): Promise<Result> {
  const told = await call(ownLiabilities, { query: { batch } });
  const { user } = useSession.getState();
  const checked = { told, own: { uid: user?.user_unique_id ?? '', email: user?.email ?? '' } };
  if (told.run.commitment !== commitment) return { ...checked, kind: 'wrong', reason: t('it has another commitment') };
  // Browsers hash on secure pages alone.
  if (globalThis.crypto?.subtle === undefined) return { ...checked, kind: 'unable' };
  const { verify } = (await import(/* @vite-ignore */ SCRIPT)) as Verifier;
  const started = performance.now();
  try {
    const owed = await verify(told, checked.own);
    return { ...checked, kind: 'counted', owed, ms: performance.now() - started };
  } catch (error) {
    const { message, code = '' } = error as Error & { readonly code?: string };
    const kind = MISMATCHES[code];
    return kind === undefined ? { ...checked, kind: 'wrong', reason: message } : { ...checked, kind };
  }
}

const columnsNow = (): readonly Column<Owed>[] => [
  { id: 'coin', title: t('Coin'), cell: ({ coin }) => coin },
  {
    id: 'counted',
    title: t('Counted'),
    align: 'right',
    cell: ({ sum, scale }) => formatDecimal(toText({ units: BigInt(sum), scale }), scale, 2),
  },
];

function Counted({ owed, told, ms }: Extract<Result, { kind: 'counted' }>) {
  const when = formatDateTime(told.run.made_at);
  if (owed.length === 0) return <p className={classes.result}>{t('You had no balance at {{when}}.', { when })}</p>;
  return (
    <>
      <p className={classes.result}>
        <IconCircleCheck size={18} className={classes.good} aria-hidden />
        {t('Your balances of {{when}} are counted. Checked in {{ms}} ms.', { when, ms: Math.max(1, Math.round(ms)) })}
      </p>
      <DenseTable
        label={t('Your balances in the run')}
        columns={columnsNow()}
        rows={owed}
        rowKey={({ coin }) => coin}
      />
    </>
  );
}

/** The client compares these with what the account page says; the page alone could be lying. */
function Bound({ told }: { readonly told: OwnLiabilities }) {
  const { uid, email } = told.identity;
  return (
    <>
      <Facts
        look="tiles"
        className={classes.facts}
        facts={[
          { name: t('Bound to UID'), value: uid },
          { name: t('Bound to email'), value: email === '' ? t('No email') : email },
        ]}
      />
      {email === '' && (
        <p className={classes.text}>
          {t(
            'Your account had no email when the run was made, so the proof is bound to your UID alone, which the exchange has chosen. Add an email, and the next run binds it too.',
          )}
        </p>
      )}
    </>
  );
}

function mismatchText({ kind, told, own }: Result): string {
  const { uid, email } = told.identity;
  if (kind === 'other-uid')
    return t(
      'The proof is bound to the UID {{uid}}, and yours is {{own}}: it does not prove your balance. Keep the file, and show it to others.',
      { uid, own: own.uid },
    );
  const when = formatDateTime(told.run.made_at);
  if (email === '')
    return t(
      'The proof is bound to no email, and yours is {{own}}. If you added it after {{when}}, check the next run. If it was yours before, keep the file, and show it to others.',
      { own: own.email, when },
    );
  return t(
    'The proof is bound to the email {{email}}, and yours is {{own}}. If you changed it after {{when}}, check the next run. If not, keep the file, and show it to others.',
    { email, own: own.email || '–', when },
  );
}

function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <p className={classes.result}>
      <IconAlertTriangle size={18} className={classes.bad} aria-hidden />
      {children}
    </p>
  );
}

function ResultOf({ result }: { readonly result: Result }) {
  return (
    <div role="status">
      {result.kind === 'counted' && (
        <>
          <Counted {...result} />
          <Bound told={result.told} />
        </>
      )}
      {result.kind === 'wrong' && (
        <Warning>
          {t('The proof does not hold: {{reason}}. Keep the file, and show it to others.', { reason: result.reason })}
        </Warning>
      )}
      {(result.kind === 'other-uid' || result.kind === 'other-email') && <Warning>{mismatchText(result)}</Warning>}
      {result.kind === 'unable' && (
        <p className={classes.result}>{t('Browsers check on secure pages only. Use the script with the file.')}</p>
      )}
      <p className={classes.acts}>
        <Button variant="default" size="xs" onClick={() => saveJson(FILE, JSON.stringify(result.told))}>
          {t('Download your proof')}
        </Button>
        <a href={SCRIPT} download>
          {t('Download the script')}
        </a>
        <code className={classes.hash}>{COMMAND}</code>
      </p>
      <p className={classes.aside}>{t('Replace UID and EMAIL with your own. Without an email write - instead.')}</p>
    </div>
  );
}

export function OwnProof({ run }: { readonly run: LiabilityRun }) {
  const token = useSession((session) => session.token);
  const isOperator = useSession((session) => session.client?.role === 'operator');
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => check(run) });
  if (isOperator) return <p className={classes.text}>{t('Operators have no balances.')}</p>;
  if (token === undefined) {
    return (
      <p className={classes.text}>
        <Link to={signInPath('/proof')}>{t('Log in')}</Link> {t('to check that your balance is counted.')}
      </p>
    );
  }
  if (run.version !== LIABILITIES_VERSION) {
    return (
      <p className={classes.text}>
        {t(
          'This run was made before proofs were bound to UID and email, so your balance cannot be checked in it. The next run has a proof for you.',
        )}
      </p>
    );
  }
  return (
    <div className={classes.own}>
      {data && <ResultOf result={data} />}
      {error && <ErrorState error={error} onRetry={() => mutate()} />}
      {!data && !error && (
        <Button onClick={() => mutate()} loading={isPending}>
          {t('Check my balance')}
        </Button>
      )}
    </div>
  );
}
