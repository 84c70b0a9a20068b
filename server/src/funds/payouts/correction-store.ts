/** What an operator puts right by command: what is known to be signed, and times of the future. */
import type { Database } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

/** For an operator who knows that the signer's record cannot be had back. @returns false where none was known */
export async function forgetNewestSigned(database: Database): Promise<boolean> {
  const rows = await database.query(
    'UPDATE payout_book SET newest_signed = NULL WHERE newest_signed IS NOT NULL RETURNING id',
  );
  return rows.length > 0;
}

export const payoutTimes: readonly TimesAhead[] = [
  {
    name: 'payments to chains',
    table: 'payouts',
    where: 'updated_at > $1',
    set: 'created_at = least(created_at, $1), updated_at = $1',
  },
];
