/** What the exchange holds beside what it owes, signed by the keys of its hot wallets, and checked here by the published script. */
import { type LiabilityRun, type ReserveStatement, reserves } from '@cambist/contract/liabilities.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { add, type Decimal, decimal, divide, multiply } from '../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact, withPercent } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/first-icons.ts';
import { IconCircleCheck } from '../../ui/icons.ts';
import { ErrorState } from '../../ui/states.tsx';
import classes from './proof-page.module.css';

const SCRIPT = '/verify-reserves.mjs';
const SCRIPTS = [SCRIPT, '/verify-liabilities.mjs'];
const FILE = 'reserves.json';
const COMMAND = `node verify-reserves.mjs ${FILE}`;

type Reserves = NonNullable<LiabilityRun['reserves']>;
type Holding = Reserves['holdings'][number];

interface Verifier {
  /** Throws with the reason when anything of it does not hold. */
  verifyReserves(statement: ReserveStatement): Promise<{
    /** By the hot wallets. */
    readonly isSigned: boolean;
    /** Cold wallets that have not. */
    readonly unsigned: readonly string[];
  }>;
}

type Result =
  | { readonly kind: 'holds'; readonly unsigned: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'unable' };

async function check(batch: number): Promise<Result> {
  const statement = await call(reserves, { query: { batch: String(batch) } });
  // Browsers hash on secure pages alone.
  if (globalThis.crypto?.subtle === undefined) return { kind: 'unable' };
  const { verifyReserves } = (await import(/* @vite-ignore */ SCRIPT)) as Verifier;
  try {
    const { isSigned, unsigned } = await verifyReserves(statement);
    return isSigned ? { kind: 'holds', unsigned } : { kind: 'wrong', reason: t('nothing has signed it') };
  } catch (error) {
    return { kind: 'wrong', reason: (error as Error).message };
  }
}

/** Whether a cold wallet holds it that has not signed for the run. */
const isAside = ({ kind, address }: Holding, { cold }: Reserves) =>
  kind === 'cold' && cold.some((one) => one.address === address && one.signed_at === null);

export const hasUnsigned = (stated: LiabilityRun['reserves']): boolean =>
  stated?.cold.some(({ signed_at: at }) => at === null) ?? false;

/**
 * What is held of a coin, by all networks; undefined before it was read, and where nothing of it was.
 * @param withUnsigned also what cold wallets hold that have not signed for the run
 */
export function heldOf(coin: string, stated: LiabilityRun['reserves'], withUnsigned = false): Decimal | undefined {
  const of = (one: { readonly coin: string }) => one.coin === coin;
  if (stated?.unread.some(of) && !stated.holdings.some(of)) return undefined;
  return stated?.holdings
    .filter((one) => of(one) && (withUnsigned || !isAside(one, stated)))
    .map(({ amount }) => decimal(amount))
    .reduce(add, decimal('0'));
}

/** Percent of what is owed. */
export function ratioOf(owed: string, held: Decimal | undefined): string {
  const part = held && divide(multiply(held, decimal('100')), decimal(owed), 1, 'floor');
  return part === undefined ? '–' : withPercent(formatDecimal(part, 1));
}

function signatureOf({ kind, address }: Holding, { signers, cold }: Reserves): string {
  if (kind === 'clients') return '–';
  if (kind === 'hot') return signers.length > 0 ? t('Hot, signed') : t('Hot, not signed');
  const at = cold.find((one) => one.address === address)?.signed_at ?? null;
  return at === null ? t('Cold, not signed') : t('Cold, signed');
}

const columnsOf = (stated: Reserves): readonly ListColumn<Holding>[] => [
  { id: 'coin', title: t('Coin'), width: '5rem', card: 'head', cell: ({ coin }) => coin },
  { id: 'network', title: t('Network'), width: '5.625rem', card: 'corner', cell: ({ network }) => network },
  {
    id: 'where',
    title: t('Held at'),
    card: 'line',
    cell: ({ kind, address }) =>
      kind === 'clients' ? t('Deposit addresses of clients') : <span className={classes.hash}>{address}</span>,
  },
  { id: 'signature', title: t('Signature'), cell: (holding) => signatureOf(holding, stated) },
  { id: 'amount', title: t('Amount'), align: 'right', cell: ({ amount }) => formatExact(decimal(amount)) },
  {
    id: 'block',
    title: t('Block'),
    align: 'right',
    cell: ({ height, hash }) => <span title={hash}>{formatDecimal(String(height), 0)}</span>,
  },
];

function Checked({ result }: { readonly result: Result }) {
  if (result.kind === 'unable')
    return <p className={classes.result}>{t('Browsers check on secure pages only. Use the script with the file.')}</p>;
  if (result.kind === 'wrong') {
    return (
      <p className={classes.result}>
        <IconAlertTriangle size={18} className={classes.bad} aria-hidden />
        {t('The statement does not hold: {{reason}}. Keep the file, and show it to others.', { reason: result.reason })}
      </p>
    );
  }
  return (
    <>
      <p className={classes.result}>
        <IconCircleCheck size={18} className={classes.good} aria-hidden />
        {t('The keys of all hot wallets in it have signed this statement and this commitment.')}
      </p>
      {result.unsigned.length > 0 && (
        <p className={classes.aside}>
          {t('Cold wallets that have not signed for this run: {{addresses}}', {
            addresses: result.unsigned.join(', '),
          })}
        </p>
      )}
    </>
  );
}

function SignatureState({ signers }: Pick<Reserves, 'signers'>) {
  if (signers.length > 0) return t('Signed by the hot wallets');
  return t('Not signed: no key confirms what is held');
}

function ColdState({ cold }: Pick<Reserves, 'cold'>) {
  const signed = cold.filter(({ signed_at: at }) => at !== null).length;
  if (signed === cold.length) return t('Signed by the cold wallets too');
  if (signed === 0) return t('Not signed for this run');
  return t('{{signed}} of {{all}} have signed', { signed, all: cold.length });
}

export function ReservesSection({ run }: { readonly run: LiabilityRun }) {
  const stated = run.reserves;
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => check(run.batch) });
  const list = {
    ...{ label: t('What is held'), columns: stated ? columnsOf(stated) : [], rows: stated?.holdings ?? [] },
    rowKey: ({ kind, network, coin }: Holding) => `${kind} ${network} ${coin}`,
  };
  return (
    <section className={classes.section} aria-label={t('What is held')}>
      <h2 className={classes.title}>{t('What is held')}</h2>
      {stated === null && (
        <p className={classes.text}>{t('What is held was not read yet for this run: a network is not answering.')}</p>
      )}
      {stated && (
        <>
          <Facts
            look="tiles"
            className={classes.facts}
            facts={[
              { name: t('Read at'), value: formatDateTime(stated.made_at) },
              { name: t('Signature'), value: <SignatureState signers={stated.signers} /> },
              ...(stated.cold.length === 0
                ? []
                : [{ name: t('Cold wallets'), value: <ColdState cold={stated.cold} /> }]),
            ]}
          />
          <RowList {...list} />
          {stated.unread.length > 0 && (
            <p className={classes.text}>
              {t('Not read, as the contract did not answer, and counted nowhere: {{coins}}', {
                coins: stated.unread.map(({ coin, network }) => `${coin} (${network})`).join(', '),
              })}
            </p>
          )}
          <div role="status" className={classes.checked}>
            {data && <Checked result={data} />}
            {error && <ErrorState error={error} onRetry={() => mutate()} />}
          </div>
          <p className={classes.acts}>
            {stated.signers.length > 0 && !data && (
              <Button variant="default" size="xs" onClick={() => mutate()} loading={isPending}>
                {t('Check the signatures')}
              </Button>
            )}
            <a href={`/api/v3/liabilities/reserves?batch=${run.batch}`} download={FILE}>
              {t('Download the statement')}
            </a>
            {SCRIPTS.map((path) => (
              <a key={path} href={path} download>
                {path.slice(1)}
              </a>
            ))}
            <code className={classes.hash}>{COMMAND}</code>
          </p>
        </>
      )}
    </section>
  );
}
