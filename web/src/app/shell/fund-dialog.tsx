import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useShell } from '../../lib/shell-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconUsers } from '../../ui/first-icons.ts';
import { IconArrowDownCircle } from '../../ui/icons.ts';
import { IconCreditCard } from './account-icons.ts';
import classes from './fund-dialog.module.css';

/** The ways to bring funds. Those that are not open yet say so, and lead to a page that says it again. */
export function FundDialog() {
  const { fundOpen, setFundOpen } = useShell();
  const close = () => setFundOpen(false);
  return (
    <Dialog opened={fundOpen} onClose={close} title={t('Fund your account')} size="sm">
      <div className={classes.ways}>
        <Way to="/wallet/deposit" onPick={close} icon={<IconArrowDownCircle size={22} stroke={1.6} />}>
          <strong>{t('Deposit Crypto')}</strong>
          <span>{t('From another wallet or exchange, by address')}</span>
        </Way>
        <Way to="/p2p" onPick={close} icon={<IconUsers size={22} stroke={1.6} />} soon>
          <strong>{t('P2P Trading')}</strong>
          <span>{t('Buy from another person')}</span>
        </Way>
        <Way to="/buy-crypto" onPick={close} icon={<IconCreditCard size={22} stroke={1.6} />} soon>
          <strong>{t('Buy Crypto')}</strong>
          <span>{t('With a card or a bank account')}</span>
        </Way>
      </div>
    </Dialog>
  );
}

interface WayProps {
  readonly to: string;
  readonly icon: ReactNode;
  readonly soon?: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

function Way({ to, icon, soon = false, onPick, children }: WayProps) {
  return (
    <Link to={to} className={classes.way} onClick={onPick}>
      {icon}
      <span className={classes.words}>{children}</span>
      {soon && (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t('Coming Soon')}
        </Badge>
      )}
    </Link>
  );
}
