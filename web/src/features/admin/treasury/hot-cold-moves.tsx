/** What goes to cold wallets, refills that are carried to them and back, and sweeps. */
import { cancelRefill, refillFile, uploadRefill } from '@cambist/contract/admin-hot-cold.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { saveBlob, saveJson } from '../../../lib/save-file.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import classes from '../console.module.css';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { PAYOUT_STATES, WAITS } from './review-words.ts';
import own from './treasury.module.css';
import type { HotAndCold } from './treasury-queries.ts';
import { UploadButton } from './upload-button.tsx';

type Move = HotAndCold['moves'][number];
type Sweep = HotAndCold['sweeps'][number];

const amountOf = ({ amount, coin }: Pick<Sweep, 'amount' | 'coin'>) =>
  amount === null ? coin : `${formatExact(decimal(amount))} ${coin}`;

const SWEEP_WAITS: Readonly<Record<Exclude<Sweep['waits_for'], ''>, string>> = {
  ...WAITS,
  NOT_WORTH: msg('Not worth the fee'),
  PAYMENT: msg('Its transaction has failed'),
};

const isRequest = ({ kind, state }: Move) => kind === 'REFILL' && state === 'PLANNED';

function stateOf(move: Move): string {
  if (move.state === 'CANCELLED') return t('Given up');
  return t(PAYOUT_STATES[move.state], { context: 'withdrawal' });
}

function sweepStateOf({ state }: Sweep): string {
  return state === 'TOPPING_UP' ? t('Gas is on its way') : t(PAYOUT_STATES[state], { context: 'withdrawal' });
}

const waiting = (waits: Sweep['waits_for'], state: string) =>
  waits === '' ? state : <span className={own.warning}>{t(SWEEP_WAITS[waits])}</span>;

const MOVES: readonly ListColumn<Move>[] = [
  { id: 'time', title: msg('Time'), cell: ({ created_at: at }) => formatDateTime(at) },
  { id: 'network', title: msg('Network'), cell: ({ network }) => network },
  {
    id: 'kind',
    title: msg('Kind'),

    cell: ({ kind }) => (kind === 'REFILL' ? t('From the cold wallet') : t('To the cold wallet')),
  },
  { id: 'amount', title: msg('Amount'), align: 'right', card: 'head', cell: amountOf },
  {
    id: 'state',
    title: msg('State'),
    align: 'right',
    card: 'corner',
    cell: (move) => waiting(move.waits_for, stateOf(move)),
  },
];

export function MoveTable({ moves }: Pick<HotAndCold, 'moves'>) {
  const [given, setGiven] = useState<Move>();
  const [requests, others] = [moves.filter(isRequest), moves.filter((move) => !isRequest(move))];
  return (
    <Section title={t('Between hot and cold')}>
      <p className={own.lead}>
        {t(
          'Carry a refill to the cold machine, sign it there with “npm run signer -- cold-sign”, and upload what it has written.',
        )}
      </p>
      {requests.map((move) => (
        <div key={move.id} className={own.request}>
          <p>
            <strong>{amountOf(move)}</strong> · {move.network}
            <span>
              {move.back_by === null
                ? t('Waits for the signed file')
                : t('Waits for the signed file until {{time}}', { time: formatDateTime(move.back_by) })}
            </span>
            {move.has_psbt && <span>{t('Any wallet that reads a PSBT can sign it too.')}</span>}
          </p>
          <RefillActs move={move} onGiveUp={() => setGiven(move)} />
        </div>
      ))}
      {moves.length === 0 && <p className={classes.quiet}>{t('Nothing here.')}</p>}
      {others.length > 0 && (
        <RowList label={t('Between hot and cold')} columns={MOVES} rows={others} rowKey={({ id }) => id} />
      )}
      {given && <GiveUpDialog move={given} onClose={() => setGiven(undefined)} />}
    </Section>
  );
}

/** How the bytes of a PSBT begin (BIP174). */
const PSBT = [0x70, 0x73, 0x62, 0x74, 0xff];
const PSBT_TYPE = 'application/octet-stream';

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** A PSBT may come as bytes or as text. */
async function signedTextOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!PSBT.every((byte, at) => bytes[at] === byte)) return new TextDecoder().decode(bytes);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function RefillActs({
  move: { id, has_psbt: hasPsbt },
  onGiveUp,
}: {
  readonly move: Move;
  readonly onGiveUp: () => void;
}) {
  const download = useAct(async (isPsbt: boolean) => {
    const { name, file, psbt } = await call(refillFile, { params: { id } });
    if (!isPsbt || psbt === null) return saveJson(name, file);
    saveBlob(name.replace(/json$/, 'psbt'), new Blob([bytesOf(psbt)], { type: PSBT_TYPE }));
  });
  const button = { size: 'compact-xs', variant: 'default' } as const;
  return (
    <div className={own.refill}>
      <Button
        {...button}
        loading={download.isPending}
        aria-label={t('Download refill {{id}}', { id })}
        onClick={() => download.mutate(false)}
      >
        {t('Download')}
      </Button>
      {hasPsbt && (
        <Button
          {...button}
          loading={download.isPending}
          aria-label={t('Download the PSBT of refill {{id}}', { id })}
          onClick={() => download.mutate(true)}
        >
          PSBT
        </Button>
      )}
      <UploadButton
        text={t('Upload')}
        label={t('Upload refill {{id}}', { id })}
        accept="application/json,.json,.psbt,.txt"
        upload={async (file) => call(uploadRefill, { params: { id }, body: { file: await signedTextOf(file) } })}
      />
      <Button {...button} aria-label={t('Give up refill {{id}}', { id })} onClick={onGiveUp}>
        {t('Give up')}
      </Button>
    </div>
  );
}

function GiveUpDialog({ move, onClose }: { readonly move: Move; readonly onClose: () => void }) {
  const cancel = useAct(
    ({ reason }: Decision) => call(cancelRefill, { params: { id: move.id }, body: { reason } }),
    onClose,
  );
  return (
    <ReasonDialog
      title={t('Give up the refill of {{amount}}?', { amount: amountOf(move) })}
      action={t('Give up')}
      withEnd={false}
      isInternal
      busy={cancel.isPending}
      onDecide={(decision) => cancel.mutate(decision)}
      onClose={onClose}
    />
  );
}

const SWEEPS: readonly ListColumn<Sweep>[] = [
  { id: 'time', title: msg('Time'), cell: ({ created_at: at }) => formatDateTime(at) },
  { id: 'network', title: msg('Network'), cell: ({ network }) => network },
  {
    id: 'address',
    title: msg('Address'),

    cell: ({ address }) => (
      <span className={own.mono} title={address}>
        {`${address.slice(0, 10)}…${address.slice(-8)}`}
      </span>
    ),
  },
  { id: 'amount', title: msg('Amount'), align: 'right', card: 'head', cell: amountOf },
  {
    id: 'state',
    title: msg('State'),
    align: 'right',
    card: 'corner',
    cell: (sweep) => waiting(sweep.waits_for, sweepStateOf(sweep)),
  },
];

export function SweepTable({ sweeps }: Pick<HotAndCold, 'sweeps'>) {
  return (
    <Section title={t('Sweeps')}>
      {sweeps.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <RowList label={t('Sweeps')} columns={SWEEPS} rows={sweeps} rowKey={({ id }) => id} />
      )}
    </Section>
  );
}
