/** What was done, and the ways in, in words. A row of an earlier version may have a name that is here no more. */
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import { msg, t } from '../../../lib/i18n.ts';

export const ACTS: Readonly<Record<AuditAct, string>> = {
  'freeze-account': msg('Froze the account'),
  'unfreeze-account': msg('Unfroze the account'),
  'stop-orders': msg('Cancelled the orders of an account'),
  'restrict-withdrawals': msg('Restricted withdrawals'),
  'lift-hold': msg('Lifted a restriction'),
  'end-sessions': msg('Ended all sessions'),
  'reset-factors': msg('Reset two-factor authentication'),
  'look-at-client': msg('Viewed the client'),
  'search-clients': msg('Searched clients'),
  'read-audit-log': msg('Read the audit log'),
  'set-fee-tier': msg('Changed the fee tier'),
  'disable-totp': msg('Turned off the authenticator app'),
  'ask-export': msg('Requested a data export'),
  'ask-deletion': msg('Requested deletion of the account'),
  'delete-account': msg('Deleted the account'),
  'add-operator': msg('Added an operator'),
  'rekey-operator': msg('Sent an operator a new setup link'),
  'set-up-operator': msg('Set up an operator account'),
  'remove-operator': msg('Removed an operator'),
  'remove-demo-account': msg('Removed a demo account'),
  'accept-secrets-key': msg('Accepted a new secrets key'),
  'skip-deposit-keys': msg('Skipped deposit keys after a restore'),
  'accept-clock': msg('Accepted a clock that was set forward'),
  'set-clock-back': msg('Set the exchange back to the present time'),
  'accept-signer-record': msg('Accepted the record of the signer as it is'),
  'begin-maintenance': msg('Started maintenance'),
  'end-maintenance': msg('Ended maintenance'),
  'acknowledge-alarm': msg('Acknowledged an alarm'),
  'read-outbox': msg('Read unsent messages'),
  'retry-message': msg('Sent a message again'),
  'list-coin': msg('Listed a coin'),
  'list-market': msg('Listed a market'),
  'change-market': msg('Changed the limits of a market'),
  'halt-market': msg('Halted a market'),
  'resume-market': msg('Resumed a market'),
  'resume-pairs': msg('Resumed the pairs after maintenance'),
  'announce-delisting': msg('Announced the delisting of a market'),
  'withdraw-delisting': msg('Withdrew the delisting of a market'),
  'delist-market': msg('Delisted a market'),
  'set-default-fees': msg('Changed the default fees'),
  'set-futures-form': msg('Changed the futures order form'),
  'change-perpetual': msg('Changed the terms of a perpetual'),
  'settle-perpetual': msg('Settled a perpetual'),
  'read-withdrawals': msg('Read withdrawals'),
  'approve-withdrawal': msg('Approved a withdrawal'),
  'refuse-withdrawal': msg('Refused a withdrawal'),
  'change-withdrawal-policy': msg('Changed the withdrawal policy'),
  'add-fraudulent-address': msg('Added a fraudulent address'),
  'remove-fraudulent-address': msg('Removed a fraudulent address'),
  'change-coin-network': msg("Changed a coin's network figures"),
  'change-sweep-policy': msg('Changed the sweep policy'),
  'change-wallet-bounds': msg('Changed hot wallet limits'),
  'remove-wallet-bounds': msg('Removed hot wallet limits'),
  'upload-refill': msg('Uploaded a signed refill'),
  'cancel-refill': msg('Cancelled a refill'),
  'pause-deposits': msg('Paused deposits'),
  'resume-deposits': msg('Resumed deposits'),
  'pause-payouts': msg('Paused payouts'),
  'resume-payouts': msg('Resumed payouts'),
  'replace-payout': msg('Replaced a payout'),
  'fail-payout': msg('Gave up a payout'),
  'sign-cold-reserves': msg('Uploaded a signature of cold reserves'),
  'prove-liabilities': msg('Made a proof of liabilities'),
  'read-deposits': msg('Read uncredited deposits'),
  'read-payouts': msg('Read payouts'),
  'read-sweeps': msg('Read sweeps and wallets'),
  'read-positions': msg('Read positions'),
  'read-conversations': msg('Listed conversations'),
  'read-conversation': msg('Read a conversation'),
  'answer-conversation': msg('Answered a conversation'),
  'assign-conversation': msg('Assigned a conversation'),
  'close-conversation': msg('Closed a conversation'),
  'reopen-conversation': msg('Reopened a conversation'),
  'save-content': msg('Saved content'),
  'restore-content': msg('Restored content'),
  'ask-change': msg('Asked to loosen a protection'),
  'confirm-change': msg('Confirmed a loosened protection'),
  'revoke-change': msg('Revoked a pending change'),
};

const WAYS = {
  password: msg('Password'),
  google: msg('Google'),
  apple: msg('Apple'),
  wallet: msg('Wallet'),
  passkey: msg('Passkey'),
};

const OUTCOMES = {
  success: msg('Logged in'),
  'wrong-password': msg('Wrong password'),
  'wrong-factor': msg('Wrong second factor'),
  frozen: msg('Account was frozen'),
  maintenance: msg('Maintenance'),
};

const inWords = (words: Readonly<Record<string, string>>) => (name: string) => {
  const text = Object.hasOwn(words, name) ? words[name] : undefined;
  return text === undefined ? name : t(text);
};

export const actText = inWords(ACTS);
export const wayText = inWords(WAYS);
export const outcomeText = inWords(OUTCOMES);
