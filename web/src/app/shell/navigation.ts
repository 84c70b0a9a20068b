/** Where the top bar and the mobile menu lead. What is a client's own is in `account-navigation.ts`. */
import { msg } from '../../lib/i18n.ts';

export interface Destination {
  readonly to: string;
  readonly label: string;
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
