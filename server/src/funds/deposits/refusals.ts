/** What a debtor is answered. */
import { msg } from '@cambist/contract/locales.ts';
import { Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';

/** @param owed amounts with their coins */
export function debtRefusal(owed: readonly string[]): Refusal {
  const text = msg(
    'The network took back a deposit of yours, and you still owe {{owed}}. Withdrawals, transfers and opening orders wait until it is paid.',
  );
  return new Refusal(409, 'DEPOSIT_REVERSED', say(text, { owed: owed.join(', ') }));
}
