/** Fees, tiers and funding of a perpetual: what an operator enters, whom it affects, and the act with its reason. */
import { changePerpetualTerms, previewPerpetualTerms, type TermsEffect } from '@cambist/contract/admin-futures.ts';
import type { PerpetualTermsOut } from '@cambist/contract/perpetuals.ts';
import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import classes from '../console.module.css';
import { ReasonedAct } from '../reason-field.tsx';
import { useAct } from '../use-act.ts';
import own from './futures.module.css';
import { entryOf, type TermsEntry, useTerms } from './terms-entry.ts';
import { FeeFields, FundingFields, TierFields } from './terms-fields.tsx';

interface TermsDialogProps {
  readonly symbol: string;
  readonly terms: PerpetualTermsOut;
  readonly onClose: () => void;
}

export function TermsDialog({ symbol, terms, onClose }: TermsDialogProps) {
  const [effect, setEffect] = useState<TermsEffect>();
  const form = useTerms(entryOf(terms), () => setEffect(undefined));
  const preview = useMutation({
    mutationFn: (body: TermsEntry) => call(previewPerpetualTerms, { params: { symbol }, body }),
    onSuccess: setEffect,
    onError: (error) => form.setError(error),
  });
  return (
    <Dialog onClose={onClose} title={t('Terms of {{pair}}', { pair: symbol })} size="xl">
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate(form.entry);
        }}
      >
        <p className={classes.quiet}>{t('They hold for open positions too, from the next mark price on.')}</p>
        <FeeFields form={form} />
        <TierFields form={form} />
        <FundingFields form={form} />
        {preview.error && <Problem error={preview.error} />}
        {!effect && (
          <Button type="submit" className={own.start ?? ''} loading={preview.isPending} disabled={!form.isReadable}>
            {t('See whom it affects')}
          </Button>
        )}
      </form>
      {effect && <Decision symbol={symbol} entry={form.entry} effect={effect} onFresh={setEffect} onClose={onClose} />}
    </Dialog>
  );
}

/** What is said beside no field. */
function Problem({ error }: { readonly error: Error }) {
  const isShown = error instanceof ApiProblem && [...error.fields.keys()].some((field) => field !== 'tiers');
  return isShown ? null : (
    <p role="alert" className={own.problem}>
      {messageOf(error)}
    </p>
  );
}

/** It comes below a long form. */
const intoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

interface Agreed {
  readonly liquidations: boolean;
  readonly cancelling: boolean;
}

interface AgreementsProps {
  readonly effect: TermsEffect;
  readonly agreed: Agreed;
  readonly onAgree: (agreed: Agreed) => void;
}

/** What the change does to others than its own figures, each to be agreed to. */
function Agreements({ effect, agreed, onAgree }: AgreementsProps) {
  const { liquidated_accounts: liquidated, cancelled_orders: cancelled } = effect;
  return (
    <>
      {liquidated > 0 && (
        <Checkbox
          color="red"
          label={t('Liquidate {{count}} accounts by this change', { count: liquidated })}
          checked={agreed.liquidations}
          onChange={({ currentTarget }) => onAgree({ ...agreed, liquidations: currentTarget.checked })}
        />
      )}
      {cancelled > 0 && (
        <Checkbox
          label={t(
            'Halt the market, end its orders and TWAPs ({{number}}) and resume it: they have reserved the fee of before',
            {
              number: cancelled,
            },
          )}
          checked={agreed.cancelling}
          onChange={({ currentTarget }) => onAgree({ ...agreed, cancelling: currentTarget.checked })}
        />
      )}
    </>
  );
}

interface DecisionProps {
  readonly symbol: string;
  readonly entry: TermsEntry;
  readonly effect: TermsEffect;
  /** Marks have moved on: what it affects now. */
  readonly onFresh: (effect: TermsEffect | undefined) => void;
  readonly onClose: () => void;
}

function Decision({ symbol, entry, effect, onFresh, onClose }: DecisionProps) {
  const { liquidated_accounts: liquidated, cancelled_orders: cancelled } = effect;
  const [reason, setReason] = useState('');
  const [agreed, setAgreed] = useState<Agreed>({ liquidations: false, cancelling: false });
  const change = useAct(async () => {
    const body = { ...entry, reason: reason.trim(), accept_liquidations: liquidated, cancel_orders: cancelled > 0 };
    try {
      await call(changePerpetualTerms, { params: { symbol }, body });
    } catch (error) {
      // More accounts than were agreed to, since marks move: the form asks again.
      if (error instanceof ApiProblem && error.code.startsWith('WOULD_')) onFresh(undefined);
      throw error;
    }
  }, onClose);
  const isAgreed = (liquidated === 0 || agreed.liquidations) && (cancelled === 0 || agreed.cancelling);
  return (
    <section className={own.form} aria-label={t('Whom it affects')} ref={intoView}>
      <Facts
        look="rows"
        className={own.counts}
        facts={[
          { name: t('Open positions'), value: effect.positions },
          { name: t('Would have to keep more'), value: effect.raised_positions },
          { name: t('Accounts liquidated at once'), value: liquidated, strong: liquidated > 0 },
          { name: t('Orders and TWAPs that end'), value: cancelled },
        ]}
      />
      <Agreements effect={effect} agreed={agreed} onAgree={setAgreed} />
      <ReasonedAct
        reason={{ value: reason, onChange: setReason }}
        action={t('Change terms')}
        isDangerous={liquidated > 0}
        busy={change.isPending}
        ready={isAgreed}
        onAct={() => change.mutate(undefined)}
        onClose={onClose}
      />
    </section>
  );
}
