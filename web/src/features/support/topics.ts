/** What a conversation may be about, as people say it. */
import type { SUPPORT_TOPICS } from '@cambist/contract/support.ts';
import { msg } from '../../lib/i18n.ts';

export type Topic = (typeof SUPPORT_TOPICS)[number];

export const TOPICS: Readonly<Record<Topic, string>> = {
  account: msg('My account'),
  deposit: msg('A deposit'),
  withdrawal: msg('A withdrawal'),
  trading: msg('Trading'),
  verification: msg('Verification'),
  security: msg('Security'),
  business: msg('Business'),
  other: msg('Something else'),
};
