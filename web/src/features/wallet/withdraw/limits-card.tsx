/** What there is of the coin, what of it may leave and why not more, and what is left of the limits of 24 hours. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { type Decimal, decimal, subtract, ZERO } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import type { Limits, WithdrawForm } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { leftOf } from './withdraw-form.ts';

export function LimitsCard({ form: { coin, limits, available, withdrawable } }: { readonly form: WithdrawForm }) {
  const name = coin?.name ?? '';
  const locked = available && withdrawable ? subtract(available, withdrawable) : ZERO;
  const inCoin = (amount: Decimal | undefined) => (amount ? `${formatExact(amount)} ${name}` : '–');
  return (
    <div className={classes.limits}>
      {limits.isPending && <SkeletonRows rows={4} columns={2} />}
      {limits.isError && !limits.data && <ErrorState error={limits.error} onRetry={() => void limits.refetch()} />}
      {limits.data && (
        <>
          <h2 className={classes.sub}>{t('Balance')}</h2>
          <Facts
            look="rows"
            className={classes.facts}
            facts={[
              { name: t('Available'), value: inCoin(available) },
              { name: t('Withdrawable'), value: inCoin(withdrawable) },
            ]}
          />
          {locked.units > 0n && (
            <p className={classes.hint}>
              {t('{{amount}} is locked until recent deposits are fully confirmed. You can trade it meanwhile.', {
                amount: inCoin(locked),
              })}{' '}
              <Anchor component={Link} to="/history" size="sm">
                {t('See deposits')}
              </Anchor>
            </p>
          )}
          <DayLimits limits={limits.data} />
        </>
      )}
    </div>
  );
}

function DayLimits({
  limits: { day, own, one_step: oneStep, frees_at: freesAt, whitelist_only: isWhitelistOnly },
}: {
  readonly limits: Limits;
}) {
  return (
    <>
      <h2 className={classes.sub}>{t('24h limit')}</h2>
      <Used name={t('Your level')} limit={day} />
      {own && <Used name={t('Your own cap')} limit={own} />}
      {oneStep && <Used name={t('Without an email code')} limit={oneStep} />}
      {freesAt !== null && (
        <p className={classes.hint}>{t('More becomes available on {{time}}.', { time: formatDateTime(freesAt) })}</p>
      )}
      {isWhitelistOnly && (
        <p className={classes.hint}>{t('Withdrawals are limited to addresses you saved at least 24 hours ago.')}</p>
      )}
      <p className={classes.hint}>
        <Anchor component={Link} to="/account/security" size="sm">
          {t('Change withdrawal settings')}
        </Anchor>
      </p>
    </>
  );
}

function Used({ name, limit }: { readonly name: string; readonly limit: Limits['day'] }) {
  const { left, used } = leftOf(limit);
  const whole = formatDecimal(decimal(limit.limit_usdt), 0);
  const words = t('{{left}} of {{limit}} USDT left', { left: formatDecimal(left, 2, 0), limit: whole });
  return (
    <div className={classes.limit}>
      <Facts look="rows" facts={[{ name, value: words }]} />
      <span
        className={classes.bar}
        role="progressbar"
        aria-label={name}
        aria-valuetext={words}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * used)}
      >
        <i style={{ width: `${100 * used}%` }} />
      </span>
    </div>
  );
}
