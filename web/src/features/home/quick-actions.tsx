/** What people come for, one touch away. */

import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { useShell } from '../../lib/shell-store.ts';
import { IconBell, IconGift, IconHeadset, IconUsers, IconWallet } from '../../ui/first-icons.ts';

import { IconCash, IconCreditCardPay, IconDownload, IconGiftCard, IconPool, IconSubtask, IconUpload } from './icons.ts';
import classes from './quick-actions.module.css';

interface Shortcut {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
}

const PAYMENTS: readonly Shortcut[] = [
  { to: '/p2p', label: msg('P2P'), icon: IconUsers },
  { to: '/account/pay', label: msg('Pay'), icon: IconCreditCardPay },
  { to: '/gift', label: msg('Gift Card'), icon: IconGiftCard },
  { to: '/pool', label: msg('Pool'), icon: IconPool },
];

const CENTERS: readonly Shortcut[] = [
  { to: '/account/tasks', label: msg('Task Center'), icon: IconSubtask },
  { to: '/account/rewards', label: msg('Reward Center'), icon: IconGift },
  { to: '/account/pay', label: msg('Pay'), icon: IconCash },
  { to: '/account/notifications', label: msg('Notifications'), icon: IconBell },
];

export function QuickActions() {
  const { setFundOpen, setChatOpen } = useShell();
  return (
    <section className={classes.section} aria-labelledby="quick-actions">
      <h2 id="quick-actions" className={classes.title}>
        {t('Quick Actions')}
      </h2>
      <div className={classes.tiles}>
        <Link to="/wallet/deposit" className={classes.tile}>
          <IconDownload size={24} stroke={1.5} />
          <strong>{t('Deposit')}</strong>
          <span>{t('From another wallet, by address')}</span>
        </Link>
        <Link to="/wallet/withdraw" className={classes.tile}>
          <IconUpload size={24} stroke={1.5} />
          <strong>{t('Withdraw')}</strong>
          <span>{t('To your own address')}</span>
        </Link>
        <button type="button" className={classes.tile} onClick={() => setChatOpen(true)}>
          <IconHeadset size={24} stroke={1.5} />
          <strong>{t('Help')}</strong>
          <span>{t('A person replies in the chat')}</span>
        </button>
        <button type="button" className={classes.tile} onClick={() => setFundOpen(true)}>
          <IconWallet size={24} stroke={1.5} />
          <strong>{t('Deposit')}</strong>
          <span>{t('All ways to fund your account')}</span>
        </button>
      </div>
      <div className={classes.groups}>
        <Group label={t('Payments')} shortcuts={PAYMENTS} />
        <Group label={t('Your account')} shortcuts={CENTERS} />
      </div>
    </section>
  );
}

function Group({ label, shortcuts }: { readonly label: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <nav className={classes.group} aria-label={label}>
      {shortcuts.map(({ to, label: name, icon: Icon }) => (
        <Link key={name} to={to} className={classes.shortcut}>
          <Icon size={18} stroke={1.6} />
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}
