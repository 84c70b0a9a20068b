/** Balances, fees, pending transfers and sources of commands, back from their tables. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { TransferReason } from '@cambist/core/ledger/movements.ts';
import { readCopy } from '../../platform/copy-reader.ts';
import type { Database } from '../../platform/database.ts';

export async function restoreLedger(database: Database, exchange: Exchange): Promise<void> {
  await readCopy(database.copyOut('SELECT account, amount FROM balances'), 2, (row) =>
    exchange.restoreBalance(row.number(0), row.amount(1)),
  );
  const fees = 'SELECT owner, maker_ppm::int8, taker_ppm::int8 FROM fee_rates';
  await readCopy(database.copyOut(fees), 3, (row) =>
    exchange.restoreFees(row.number(0), { makerPpm: row.number(1), takerPpm: row.number(2) }),
  );
  type Pending = {
    readonly id: number;
    readonly reason: TransferReason;
    readonly reference: number;
    readonly legs: string;
    readonly detail: string;
  };
  const pending = await database.query<Pending>(
    `SELECT id, reason, reference, detail,
            array_to_string(payers || receivers || amounts, ',') AS legs FROM pending_transfers`,
  );
  for (const { id, legs, ...facts } of pending) {
    const values = legs.split(',');
    const count = values.length / 3;
    const restored = Array.from({ length: count }, (_, index) => ({
      from: Number(values[index]),
      to: Number(values[count + index]),
      amount: BigInt(values[2 * count + index]!),
    }));
    exchange.restorePendingTransfer({ transferId: id, ...facts, legs: restored });
  }
  type Source = { readonly source: number; readonly sequence: number };
  for (const origin of await database.query<Source>('SELECT source, sequence FROM command_sources')) {
    exchange.restoreSequence(origin);
  }
}
