/** Statements of reserves at rest: what was read, and by which keys it was signed. Neither changes once it is there. */
import { z } from 'zod';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import type { Database } from '../../platform/database.ts';
import { type Holding, holding, type UnreadCoin, unreadCoin } from '../../signer/service.ts';

const holdings = z.array(holding);
const unreadCoins = z.array(unreadCoin);
const signature = z.object({ address: z.string(), signature: z.string() });
const signatures = z.array(signature);
export type ReserveSignature = z.output<typeof signature>;

/** What was read at named blocks, and which coins could not be. */
export interface ReadReserves {
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadCoin[];
}

export interface KeptReserves extends ReadReserves {
  readonly madeAt: number;
  /** Undefined until the signer has signed. */
  readonly signatures: readonly ReserveSignature[] | undefined;
  /** Of cold wallets, as they were brought back. */
  readonly cold: readonly ColdSignature[];
}

export interface ColdSignature extends ReserveSignature {
  readonly addedAt: number;
}

type Row = {
  readonly batch: number;
  readonly made_at: number;
  readonly holdings: string;
  readonly unread: string;
  readonly signatures: string | null;
};

const keptOf = (row: Row, cold: readonly ColdSignature[]): KeptReserves => ({
  cold,
  madeAt: row.made_at,
  holdings: holdings.parse(JSON.parse(row.holdings)),
  unread: unreadCoins.parse(JSON.parse(row.unread)),
  signatures: row.signatures === null ? undefined : signatures.parse(JSON.parse(row.signatures)),
});

export function createReserveStore(database: Database) {
  return {
    async of(batches: readonly number[]): Promise<ReadonlyMap<number, KeptReserves>> {
      const rows = await database.query<Row>(
        'SELECT batch, made_at, holdings, unread, signatures FROM reserve_statements WHERE batch = ANY($1::bigint[])',
        [batches],
      );
      const cold = await database.query<{ batch: number; address: string; signature: string; addedAt: number }>(
        `SELECT batch, address, signature, added_at AS "addedAt" FROM cold_reserve_signatures
         WHERE batch = ANY($1::bigint[]) ORDER BY address`,
        [batches],
      );
      const of = (batch: number) => cold.filter((one) => one.batch === batch).map(({ batch: _, ...one }) => one);
      return new Map(rows.map((row) => [row.batch, keptOf(row, of(row.batch))]));
    },
    /** What an operator has brought, while the operator may. @returns false where the address has signed before: that stays */
    async addCold(by: Authority, batch: number, { address, signature, addedAt }: ColdSignature): Promise<boolean> {
      const [, added = []] = await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO cold_reserve_signatures (batch, address, signature, added_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT DO NOTHING RETURNING batch`,
          parameters: [batch, address, signature, addedAt],
        },
      ]);
      return added.length > 0;
    },
    /** Of two that are made at once the first stays. */
    async add(batch: number, madeAt: number, { holdings: held, unread }: ReadReserves): Promise<void> {
      const text = JSON.stringify(held.map((one) => ({ ...one, units: String(one.units) })));
      await database.query(
        'INSERT INTO reserve_statements (batch, made_at, holdings, unread) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [batch, madeAt, text, JSON.stringify(unread)],
      );
    },
    async sign(batch: number, signed: readonly ReserveSignature[]): Promise<void> {
      await database.query('UPDATE reserve_statements SET signatures = $2 WHERE batch = $1 AND signatures IS NULL', [
        batch,
        JSON.stringify(signed),
      ]);
    },
  };
}

export type ReserveStore = ReturnType<typeof createReserveStore>;
