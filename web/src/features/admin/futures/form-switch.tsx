/** Whether the order form of perpetuals offers to open short positions. */
import { setFuturesForm } from '@cambist/contract/admin-futures.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { t } from '../../../lib/i18n.ts';
import classes from '../console.module.css';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';

export function FormSwitch({ isOn }: { readonly isOn: boolean }) {
  const [asking, setAsking] = useState(false);
  const set = useAct(
    ({ reason }: Decision) => call(setFuturesForm, { body: { sells_empty: !isOn, reason } }),
    () => setAsking(false),
  );
  return (
    <Section title={t('Order form')}>
      <div className={classes.statement}>
        <p className={classes.quiet}>
          {isOn
            ? t('SELL EMPTY is on: clients can open short positions with the form.')
            : t('SELL EMPTY is off in the form. Programs can open short positions, and every position can be closed.')}
        </p>
        <Button variant="default" onClick={() => setAsking(true)}>
          {isOn ? t('Switch off') : t('Switch on')}
        </Button>
      </div>
      {asking && (
        <ReasonDialog
          title={isOn ? t('Switch SELL EMPTY off in the form?') : t('Switch SELL EMPTY on in the form?')}
          action={isOn ? t('Switch off') : t('Switch on')}
          withEnd={false}
          isInternal
          busy={set.isPending}
          onDecide={(decision) => set.mutate(decision)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
