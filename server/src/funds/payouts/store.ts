/** Payouts and their attempts at rest. Whatever changes one holds only where nothing else has changed it since it was read. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { ConstraintViolation, type Database, type Statement } from '../../platform/database.ts';
import type { SignedAttempt } from '../../signer/service.ts';
import { nonceOf, writeJson } from '../chains/service.ts';
import { createCosts, createFigures, createWalletFigures } from './figures-store.ts';
import { createFollowing } from './following-store.ts';
import type { KeptPayout, Update } from './kept-payout.ts';
import { createBetween, createExperience, createReading } from './reading-store.ts';
import type { Payer, Payment, WaitsFor } from './service.ts';
import { createAttempts, createTaking } from './signing-store.ts';

/** @returns undefined for one whose first statement has found that something had changed */
async function unlessMoved<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: Error) => {
    // An address whose last payments a deep reorganization took back may offer a nonce that one of them has.
    const isTaken =
      error instanceof ConstraintViolation && ['payouts_taken', 'payouts_by_nonce'].includes(error.constraint ?? '');
    if (isTaken || /has moved on/.test(error.message)) return undefined;
    throw error;
  });
}

/** What becomes of a payout becomes of those that go along with it, but its cost, which counts once. */
const mirroring = (id: number): Statement => ({
  sql: `UPDATE payouts SET state = leader.state, waits_for = leader.waits_for, sender = leader.sender,
          transaction = leader.transaction, height = leader.height, confirmations = leader.confirmations,
          updated_at = leader.updated_at, change = leader.change
        FROM payouts AS leader WHERE leader.id = $1 AND payouts.carried_by = leader.id`,
  parameters: [id],
});

/** What operators decide, and what the signer has named. */
function createSwitches(database: Database, update: Update) {
  return {
    /** Ends a payout of which nothing was signed or is being signed. @returns false for any other */
    async giveUp(payout: KeptPayout, now: number): Promise<boolean> {
      if (payout.state !== 'PLANNED' || payout.sender !== '') return false;
      return update(payout, { state: 'FAILED', waits_for: '' }, now);
    },

    async keepHotAddress(network: NetworkName, address: string): Promise<void> {
      await database.query('UPDATE payout_networks SET hot_address = $2 WHERE network = $1', [network, address]);
    },
    async keepColdAddress(network: NetworkName, address: string): Promise<void> {
      await database.query('UPDATE payout_networks SET cold_address = $2 WHERE network = $1', [network, address]);
    },

    /** The name under which the signer has signed last; null where it has not. */
    async newestSigned(): Promise<string | null> {
      const [row] = await database.query<{ newest_signed: string | null }>('SELECT newest_signed FROM payout_book');
      return row?.newest_signed ?? null;
    },

    async pause(network: NetworkName, isPaused: boolean): Promise<void> {
      await database.query('UPDATE payout_networks SET is_paused = $2 WHERE network = $1', [network, isPaused]);
    },
  };
}

function createUpdate(database: Database): Update {
  return async ({ id, change }, values, now, others = []) => {
    const all = { ...values, updated_at: now };
    const sets = Object.keys(all).map((name, index) => `${name} = $${index + 2}`);
    const done = await unlessMoved(
      database.transaction([
        { sql: 'SELECT hold_payout($1, $2)', parameters: [id, change] },
        {
          sql: `UPDATE payouts SET ${sets.join(', ')}, change = next_payout_change() WHERE id = $1`,
          parameters: [id, ...Object.values(all)],
        },
        ...others,
        mirroring(id),
      ]),
    );
    return done !== undefined;
  };
}

/**
 * Why those of which nothing is signed wait, for all of them at once: those that are still as they were read. The counter comes
 * first, and a row that something else has in hand is left out, so that neither waits for the other for ever.
 */
async function allWait(
  database: Database,
  payouts: readonly KeptPayout[],
  waitsFor: WaitsFor,
  now: number,
): Promise<void> {
  if (payouts.length === 0) return;
  await database.transaction([
    { sql: 'SELECT next_payout_change()' },
    {
      sql: `UPDATE payouts SET waits_for = $1, updated_at = $2, change = (SELECT change FROM payout_book)
            WHERE id IN (SELECT id FROM payouts JOIN unnest($3::int8[], $4::int8[]) AS read (id, change) USING (id, change)
                         FOR UPDATE OF payouts SKIP LOCKED)`,
      parameters: [waitsFor, now, payouts.map(({ id }) => id), payouts.map(({ change }) => change)],
    },
  ]);
}

export function createPayoutStore(database: Database) {
  const update = createUpdate(database);
  return {
    ...createReading(database),
    ...createExperience(database),
    ...createBetween(database),
    ...createTaking(update),
    ...createAttempts(update),
    ...createSwitches(database, update),
    ...createFollowing(update),
    allWait: (payouts: readonly KeptPayout[], waitsFor: WaitsFor, now: number) =>
      allWait(database, payouts, waitsFor, now),
    ...createCosts(database),
    ...createFigures(database),
    ...createWalletFigures(database),

    /** One that was signed elsewhere: it is sent as it is. */
    signedElsewhere: (
      { purpose, reference, network, coin, address, units, payer }: Payment & { readonly payer: Payer },
      { raw, transaction, terms: of }: Pick<SignedAttempt, 'raw' | 'transaction' | 'terms'>,
      confirmations: number,
      now: number,
    ): Statement => ({
      sql: `WITH signed AS (
              INSERT INTO payouts (purpose, reference, network, coin, address, units, confirmations_required, payer, sender,
                nonce, transaction, state, change, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6::text::numeric, $7, $9, $9, $10, $11, 'SIGNED', next_payout_change(), $8, $8)
              RETURNING id)
            INSERT INTO payout_attempts (payout, attempt, terms, raw, transaction) SELECT id, 1, $12, $13, $11 FROM signed`,
      parameters: [
        ...[purpose, reference, network, coin, address, String(units), confirmations, now],
        ...[payer.address, nonceOf(of), transaction, writeJson(of), raw],
      ],
    }),

    planning: (
      { purpose, reference, network, coin, address, units, payer }: Payment,
      confirmations: number,
      now: number,
    ): Statement => ({
      sql: `INSERT INTO payouts (purpose, reference, network, coin, address, units, confirmations_required, payer,
              payer_index, payer_coins, change, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6::text::numeric, $7, $9, $10, $11, next_payout_change(), $8, $8)`,
      parameters: [
        ...[purpose, reference, network, coin, address, String(units), confirmations, now],
        ...[payer?.address ?? '', payer?.index ?? null, payer?.coins ? writeJson(payer.coins) : null],
      ],
    }),
  };
}

export type PayoutStore = ReturnType<typeof createPayoutStore>;
