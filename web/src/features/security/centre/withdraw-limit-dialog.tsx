import { updateWithdrawLimit, WITHDRAW_LIMITS } from '@cambist/contract/security.ts';
import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NOTICE_MS, noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import { useAct } from '../use-act.ts';

type Limit = (typeof WITHDRAW_LIMITS)[number];

const DEFAULT_LIMIT: Limit = 500;

interface WithdrawLimitDialogProps {
  readonly current: Limit | null;
  readonly onClose: () => void;
}

export function WithdrawLimitDialog({ current, onClose }: WithdrawLimitDialogProps) {
  const [limit, setLimit] = useState<Limit>(current ?? DEFAULT_LIMIT);
  const save = useAct(
    () => call(updateWithdrawLimit, { query: { withdraw_limit: limit } }),
    (answer) => {
      const text = t('You can withdraw up to {{limit}} USDT in 24 hours.', { limit: String(answer.withdraw_limit) });
      noticeSuccess(t('Success'), text, NOTICE_MS.trade);
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title={t('Enable crypto withdrawal limit')} size="sm">
      <div className={classes.form}>
        <Radio.Group
          label={t('Withdraw limit')}
          description={t('USDT in 24 hours. Raising it later requires your transaction password.')}
          value={String(limit)}
          onChange={(value) => setLimit(WITHDRAW_LIMITS.find((one) => String(one) === value) ?? DEFAULT_LIMIT)}
        >
          {WITHDRAW_LIMITS.map((one) => (
            <Radio key={one} value={String(one)} label={`${one} USDT`} mt="sm" />
          ))}
        </Radio.Group>
        <Button fullWidth loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {current === null ? t('Enable') : t('Save')}
        </Button>
      </div>
    </Dialog>
  );
}
