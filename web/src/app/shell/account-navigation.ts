/** A client's own places, for the account menu, the sidebar and the mobile menu. */

import type { ComponentType } from 'react';
import { msg } from '../../lib/i18n.ts';
import { IconBell, IconGift, IconHeadset, IconWallet } from '../../ui/first-icons.ts';
import { IconShieldLock } from '../../ui/icons.ts';
import {
  IconCoins,
  IconHistory,
  IconId,
  IconPercentage,
  IconSettings,
  IconUser,
  IconUsersPlus,
} from './account-icons.ts';
import type { Destination } from './navigation.ts';

export interface IconDestination extends Destination {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
}

export const ACCOUNT: readonly IconDestination[] = [
  { to: '/profile', label: msg('Profile'), icon: IconUser },
  { to: '/fee-rate', label: msg('Fee Rates'), icon: IconPercentage },
  { to: '/wallet', label: msg('Wallet'), icon: IconWallet },
  { to: '/history', label: msg('History'), icon: IconHistory },
  { to: '/account/rewards', label: msg('Rewards Center'), icon: IconGift },
  { to: '/account/referral', label: msg('Referral'), icon: IconUsersPlus },
  { to: '/account/security', label: msg('Security'), icon: IconShieldLock },
  { to: '/verification/overview', label: msg('Verification'), icon: IconId },
];

export const SETTINGS: IconDestination = { to: '/settings', label: msg('Settings'), icon: IconSettings };

export const NOTIFICATIONS = '/account/notifications';

export const MORE: readonly IconDestination[] = [
  { to: '/account/tasks', label: msg('Task Center'), icon: IconCoins },
  { to: NOTIFICATIONS, label: msg('Notifications'), icon: IconBell },
  SETTINGS,
];

export const HELP_ICON = IconHeadset;
