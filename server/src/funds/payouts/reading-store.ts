/** Payouts and their attempts as they are read. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Parameter } from '../../platform/database.ts';
import { isExhausted, type Terms, terms } from '../chains/service.ts';
import { type Attempt, type KeptPayout, type NetworkRow, payerCoinsIn } from './kept-payout.ts';
import type { PayoutState, Purpose, WaitsFor } from './service.ts';

type Row = {
  readonly id: number;
  readonly purpose: Purpose;
  readonly reference: number;
  readonly network: NetworkName;
  readonly coin: string;
  readonly address: string;
  readonly units: bigint;
  readonly confirmations_required: number;
  readonly state: PayoutState;
  readonly waits_for: WaitsFor;
  readonly payer: string;
  readonly payer_index: number | null;
  readonly payer_coins: string | null;
  readonly sender: string;
  readonly nonce: number | null;
  readonly transaction: string | null;
  readonly height: number | null;
  readonly is_undone: boolean;
  readonly confirmations: number;
  readonly cost: bigint | null;
  readonly carried_by: number | null;
  readonly change: number;
  readonly created_at: number;
  readonly updated_at: number;
};

type AttemptRow = {
  readonly payout: number;
  readonly attempt: number;
  readonly terms: string;
  readonly raw: string | null;
  readonly transaction: string | null;
  readonly sent_height: number | null;
};

const SELECT = `SELECT id, purpose, reference, network, coin, address, units, confirmations_required, state, waits_for, payer,
  payer_index, payer_coins, sender, nonce, transaction, height, is_undone, confirmations, cost, carried_by, change, created_at, updated_at
  FROM payouts`;

const IS_BETWEEN = `purpose IN ('top-up', 'sweep')`;

const attemptOf = ({ attempt, terms: text, raw, transaction, sent_height: sentHeight }: AttemptRow): Attempt => ({
  ...{ attempt, raw, transaction, sentHeight },
  terms: terms.parse(JSON.parse(text)),
});

function payoutOf(
  { confirmations_required: confirmationsRequired, waits_for: waitsFor, created_at: createdAt, ...row }: Row,
  attempts: readonly AttemptRow[],
): KeptPayout {
  const { updated_at: updatedAt, is_undone: isUndone, payer: address, payer_index: index, ...others } = row;
  const { carried_by: carriedBy, payer_coins: text, ...rest } = others;
  const coins = payerCoinsIn(text);
  const own = attempts.filter(({ payout }) => payout === row.id).map(attemptOf);
  const payer = address === '' ? undefined : { address, index, ...(coins && { coins }) };
  const times = { createdAt, updatedAt };
  return { ...rest, ...times, payer, isUndone, confirmationsRequired, waitsFor, carriedBy, attempts: own };
}

const createReader = (database: Database) =>
  async function read(where: string, parameters: readonly Parameter[]): Promise<KeptPayout[]> {
    const rows = await database.query<Row>(`${SELECT} ${where}`, parameters);
    if (rows.length === 0) return [];
    const attempts = await database.query<AttemptRow>(
      `SELECT payout, attempt, terms, raw, transaction, sent_height FROM payout_attempts
       WHERE payout = ANY ($1::int8[]) ORDER BY payout, attempt`,
      [rows.map(({ id }) => id)],
    );
    return rows.map((row) => payoutOf(row, attempts));
  };

/** What is known from payments that have ended. */
export function createExperience(database: Database) {
  const read = createReader(database);
  return {
    /** Of the last payment of a payer in a coin, where that has burned all that it could, and moved nothing. */
    async exhausted(network: NetworkName, coin: string, payer: string): Promise<Terms | undefined> {
      const [last] = await read(
        `WHERE network = $1 AND sender = $2 AND coin = $3 AND nonce IS NOT NULL AND state IN ('FINAL', 'FAILED')
         ORDER BY nonce DESC LIMIT 1`,
        [network, payer, coin],
      );
      if (last?.state !== 'FAILED' || !last.isUndone) return undefined;
      const of = last.attempts.find(({ transaction }) => transaction === last.transaction)?.terms;
      return of && isExhausted(of, last.cost ?? 0n) ? of : undefined;
    },
  };
}

/** What is between the hot wallet and the addresses of clients. */
export function createBetween(database: Database) {
  const read = createReader(database);
  return {
    /** The highest id of all. */
    async lastId(): Promise<number> {
      const [row] = await database.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM payouts');
      return row?.id ?? 0;
    },
    /** What moves coins there and has not ended. */
    openBetween: (network: NetworkName) =>
      read(`WHERE network = $1 AND ${IS_BETWEEN} AND state NOT IN ('FINAL', 'FAILED') ORDER BY id`, [network]),
    /** What has not ended, or has in a block above a height; and these, and whatever was planned after an id. */
    between: (
      network: NetworkName,
      { above, also, after }: Readonly<{ above: number; also: number[]; after: number }>,
    ) =>
      read(
        `WHERE network = $1 AND ${IS_BETWEEN}
           AND (state NOT IN ('FINAL', 'FAILED') OR height > $2 OR id = ANY ($3::int8[]) OR id > $4) ORDER BY id`,
        [network, above, also, after],
      ),
  };
}

export function createReading(database: Database) {
  const read = createReader(database);
  return {
    /**
     * Those of a network that have not ended, oldest first: all that are fixed and in no block, which are few, and as many of
     * those in a block and of the untaken. @param after the untaken above this id alone
     */
    open: (network: NetworkName, limit: number, after = 0) =>
      read(
        `WHERE network = $1 AND state NOT IN ('FINAL', 'FAILED') AND
           (state IN ('SIGNED', 'BROADCAST') OR (state = 'PLANNED' AND sender <> '')
            OR id IN (SELECT id FROM payouts WHERE network = $1 AND state = 'MINED' ORDER BY id LIMIT $2)
            OR id IN (SELECT id FROM payouts WHERE network = $1 AND state = 'PLANNED' AND sender = '' AND id > $3
                      ORDER BY id LIMIT $2))
         ORDER BY id`,
        [network, limit, after],
      ),
    /** Those that are final in a block above a height. */
    finalSince: (network: NetworkName, height: number) =>
      read(`WHERE network = $1 AND state = 'FINAL' AND height > $2 ORDER BY id`, [network, height]),
    byReferences: (purpose: Purpose, references: readonly number[]) =>
      read('WHERE purpose = $1 AND reference = ANY ($2::int8[])', [purpose, references]),
    /** Those that go along in the transaction of another. */
    carriedBy: (id: number) => read('WHERE carried_by = $1 ORDER BY id', [id]),
    /** Those underway first, then the newest. */
    list: (limit: number) => read(`ORDER BY state IN ('FINAL', 'FAILED'), id DESC LIMIT $1`, [limit]),
    async find(id: number): Promise<KeptPayout | undefined> {
      return (await read('WHERE id = $1', [id]))[0];
    },

    async networks(): Promise<ReadonlyMap<NetworkName, NetworkRow>> {
      const rows = await database.query<{
        network: NetworkName;
        is_paused: boolean;
        hot_address: string;
        cold_address: string;
        next_nonce: number | null;
        cost_rest: bigint;
      }>('SELECT network, is_paused, hot_address, cold_address, next_nonce, cost_rest FROM payout_networks');
      return new Map(
        rows.map(({ network, is_paused: isPaused, hot_address: hotAddress, cold_address: coldAddress, ...row }) => [
          network,
          { isPaused, hotAddress, coldAddress, nextNonce: row.next_nonce, costRest: row.cost_rest },
        ]),
      );
    },

    /** Networks that have something to do. */
    async busy(): Promise<NetworkName[]> {
      const rows = await database.query<{ network: NetworkName }>(
        `SELECT DISTINCT network FROM payouts WHERE state NOT IN ('FINAL', 'FAILED')`,
      );
      return rows.map(({ network }) => network);
    },

    /** Begins the name of every payment at the signer. */
    async book(): Promise<string> {
      const [row] = await database.query<{ id: string }>('SELECT id::text FROM payout_book');
      if (row === undefined) throw new Error('The book of payouts is missing');
      return row.id;
    },

    /** By state, and when the oldest of each was planned. */
    states: () =>
      database.query<{ state: PayoutState; count: number; oldest: number }>(
        'SELECT state, count(*) AS count, min(created_at) AS oldest FROM payouts GROUP BY state',
      ),
  };
}
