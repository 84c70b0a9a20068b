/** What only clients need around every screen. Fetched when somebody is signed in; stays, to see the session end. */
import { useAccountStream } from '../lib/queries/account-stream.ts';
import { useAccountWatch } from './use-account-watch.ts';
import { useNotifications } from './use-notifications.ts';

export default function AccountWatch() {
  useAccountStream();
  useAccountWatch();
  useNotifications();
  return null;
}
