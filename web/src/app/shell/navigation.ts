/** Where the shell leads, said once for the top bar, the mobile menu, the sidebar and the account menu. */
import {
  IconBell,
  IconCoins,
  IconGift,
  IconHeadset,
  IconId,
  IconPercentage,
  IconShieldLock,
  IconUser,
  IconUsersPlus,
  IconWallet,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { msg } from '../../lib/i18n.ts';

export interface Destination {
  readonly to: string;
  readonly label: string;
}

export interface IconDestination extends Destination {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
}

export const MAIN: readonly Destination[] = [
  { to: '/markets', label: msg('Markets') },
  { to: '/wallet/convert', label: msg('Convert') },
  { to: '/trades/spot', label: msg('Trade') },
  { to: '/trades/futures', label: msg('Futures') },
];

export const EARN: readonly Destination[] = [
  { to: '/wallet/simple_earn', label: msg('Simple Earn') },
  { to: '/wallet/auto_invest', label: msg('Auto Invest') },
];

export const ACCOUNT: readonly IconDestination[] = [
  { to: '/profile', label: msg('Profile'), icon: IconUser },
  { to: '/fee-rate', label: msg('Fee Rates'), icon: IconPercentage },
  { to: '/wallet', label: msg('Wallet'), icon: IconWallet },
  { to: '/account/rewards', label: msg('Rewards Center'), icon: IconGift },
  { to: '/account/referral', label: msg('Referral'), icon: IconUsersPlus },
  { to: '/account/security', label: msg('Security'), icon: IconShieldLock },
  { to: '/verification/overview', label: msg('Verification'), icon: IconId },
];

export const MORE: readonly IconDestination[] = [
  { to: '/account/tasks', label: msg('Task Center'), icon: IconCoins },
  { to: '/account/notifications', label: msg('Notifications'), icon: IconBell },
];

export const HELP_ICON = IconHeadset;
