/** The client's own part in the newest run, checked here by the same file that can be run by itself. */
import { type OwnLiabilities, ownLiabilities } from '@cambist/contract/liabilities.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { toText } from '../../lib/decimal.ts';
import { formatDateTime, formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { saveJson } from '../../lib/save-file.ts';
import { useSession } from '../../lib/session-store.ts';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { IconAlertTriangle } from '../../ui/first-icons.ts';
import { IconCircleCheck } from '../../ui/icons.ts';
import { ErrorState } from '../../ui/states.tsx';
import classes from './proof-page.module.css';

const SCRIPT = '/verify-liabilities.mjs';
const FILE = 'cambist-proof.json';
const COMMAND = `node verify-liabilities.mjs ${FILE}`;

interface Owed {
  readonly coin: string;
  readonly scale: number;
  /** Smallest units. */
  readonly sum: string;
}

interface Verifier {
  /** Throws with the reason when anything of what was told does not hold. */
  verify(told: OwnLiabilities): Promise<Owed[]>;
}

type Result =
  | { readonly kind: 'counted'; readonly told: OwnLiabilities; readonly owed: readonly Owed[]; readonly ms: number }
  | { readonly kind: 'wrong'; readonly told: OwnLiabilities; readonly reason: string }
  | { readonly kind: 'unable'; readonly told: OwnLiabilities };

async function check(): Promise<Result> {
  const told = await call(ownLiabilities, { query: {} });
  // Browsers hash on secure pages alone.
  if (globalThis.crypto?.subtle === undefined) return { kind: 'unable', told };
  const { verify } = (await import(/* @vite-ignore */ SCRIPT)) as Verifier;
  const started = performance.now();
  try {
    const owed = await verify(told);
    return { kind: 'counted', told, owed, ms: performance.now() - started };
  } catch (error) {
    return { kind: 'wrong', told, reason: (error as Error).message };
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

function ResultOf({ result }: { readonly result: Result }) {
  return (
    <div role="status">
      {result.kind === 'counted' && <Counted {...result} />}
      {result.kind === 'wrong' && (
        <p className={classes.result}>
          <IconAlertTriangle size={18} className={classes.bad} aria-hidden />
          {t('The proof does not hold: {{reason}}. Keep the file, and show it to others.', { reason: result.reason })}
        </p>
      )}
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
    </div>
  );
}

export function OwnProof() {
  const token = useSession((session) => session.token);
  const isOperator = useSession((session) => session.client?.role === 'operator');
  const { data, error, isPending, mutate } = useMutation({ mutationFn: check });
  if (isOperator) return <p className={classes.text}>{t('Operators have no balances.')}</p>;
  if (token === undefined) {
    return (
      <p className={classes.text}>
        <Link to={signInPath('/proof')}>{t('Log in')}</Link> {t('to check that your balance is counted.')}
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
