/** A client's balances and ledger: a copy for the person. The books themselves stay. */
import { OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

export const ledgerTables: PersonalTables = {
  exported: {
    balances: `SELECT account, amount::text FROM balances WHERE account / ${OWNER_KEYS} = $1`,
    ledger: `SELECT batch, sequence, reason, time, account, amount::text FROM ledger_entries WHERE owner = $1
             ORDER BY batch, sequence`,
  },
  erased: [],
};
