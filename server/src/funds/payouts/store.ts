/** Payouts and their attempts at rest. Whatever changes one holds only where nothing else has changed it since it was read. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { ConstraintViolation, type Database, type Parameter, type Statement } from '../../platform/database.ts';
import type { SignedAttempt } from '../../signer/service.ts';
import { nonceOf, othersOf, type Terms, terms, writeJson } from '../chains/service.ts';
import { createCosts, createFigures, createWalletFigures } from './figures-store.ts';
import type { Payer, Payment, Payout, PayoutState, Purpose, WaitsFor } from './service.ts';

export interface Attempt {
  readonly attempt: number;
  readonly terms: Terms;
  /** What is sent to the chain; null until it was signed. */
  readonly raw: string | null;
  readonly transaction: string | null;
  /** The newest block when a node took it. */
  readonly sentHeight: number | null;
}

export interface KeptPayout extends Payout {
  readonly change: number;
  readonly confirmationsRequired: number;
  readonly waitsFor: WaitsFor;
  /** The canonical address that pays; empty before what decides the bytes was fixed. */
  readonly sender: string;
  /** Null also where the chain has no nonces. */
  readonly nonce: number | null;
  readonly height: number | null;
  /** The payout in whose transaction it goes along; null for one with its own. */
  readonly carriedBy: number | null;
  readonly isUndone: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In their order. */
  readonly attempts: readonly Attempt[];
}

export interface NetworkRow {
  readonly isPaused: boolean;
  readonly hotAddress: string;
  /** By the signer's policy; empty where that names none. */
  readonly coldAddress: string;
  readonly nextNonce: number | null;
}

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
  payer_index, sender, nonce, transaction, height, is_undone, confirmations, cost, carried_by, change, created_at, updated_at
  FROM payouts`;

const attemptOf = ({ attempt, terms: text, raw, transaction, sent_height: sentHeight }: AttemptRow): Attempt => ({
  ...{ attempt, raw, transaction, sentHeight },
  terms: terms.parse(JSON.parse(text)),
});

function payoutOf(
  { confirmations_required: confirmationsRequired, waits_for: waitsFor, created_at: createdAt, ...row }: Row,
  attempts: readonly AttemptRow[],
): KeptPayout {
  const { updated_at: updatedAt, is_undone: isUndone, payer: address, payer_index: index, ...others } = row;
  const { carried_by: carriedBy, ...rest } = others;
  const own = attempts.filter(({ payout }) => payout === row.id).map(attemptOf);
  const payer = address === '' ? undefined : { address, index };
  const times = { createdAt, updatedAt };
  return { ...rest, ...times, payer, isUndone, confirmationsRequired, waitsFor, carriedBy, attempts: own };
}

/** Of a withdrawal by its name at the signer, which begins with the book. */
export const referenceOf = (name: string): number => Number(name.slice(name.indexOf(':') + 1));

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

function createReading(database: Database) {
  async function read(where: string, parameters: readonly Parameter[]): Promise<KeptPayout[]> {
    const rows = await database.query<Row>(`${SELECT} ${where}`, parameters);
    if (rows.length === 0) return [];
    const attempts = await database.query<AttemptRow>(
      `SELECT payout, attempt, terms, raw, transaction, sent_height FROM payout_attempts
       WHERE payout = ANY ($1::int8[]) ORDER BY payout, attempt`,
      [rows.map(({ id }) => id)],
    );
    return rows.map((row) => payoutOf(row, attempts));
  }

  return {
    /** Those of a network that have not ended, oldest first. */
    open: (network: NetworkName, limit: number) =>
      read(`WHERE network = $1 AND state NOT IN ('FINAL', 'FAILED') ORDER BY id LIMIT $2`, [network, limit]),
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
      }>('SELECT network, is_paused, hot_address, cold_address, next_nonce FROM payout_networks');
      return new Map(
        rows.map(({ network, is_paused: isPaused, hot_address: hotAddress, cold_address: coldAddress, ...row }) => [
          network,
          { isPaused, hotAddress, coldAddress, nextNonce: row.next_nonce },
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

const attempting = ({ id }: KeptPayout, attempt: number, of: Terms): Statement => ({
  sql: 'INSERT INTO payout_attempts (payout, attempt, terms) VALUES ($1, $2, $3)',
  parameters: [id, attempt, writeJson(of)],
});

const dropping = ({ id }: KeptPayout): Statement => ({
  sql: 'DELETE FROM payout_attempts WHERE payout = $1 AND raw IS NULL',
  parameters: [id],
});

const advancing = (network: NetworkName, from: number | null, to: number | null): Statement[] => [
  { sql: 'SELECT hold_next_nonce($1, $2)', parameters: [network, from] },
  { sql: 'UPDATE payout_networks SET next_nonce = $2 WHERE network = $1', parameters: [network, to] },
];

/** No other has been taken since: they are taken one by one. Nonces of others than the hot wallet are the chain's to count. */
const givingBack = ({ network, nonce, payer }: KeptPayout): Statement[] =>
  nonce === null || payer !== undefined ? [] : advancing(network, nonce + 1, nonce);

/** Only where the other is as it was read. */
const carrying = ({ id }: KeptPayout, other: KeptPayout): Statement[] => [
  { sql: 'SELECT hold_payout($1, $2)', parameters: [other.id, other.change] },
  { sql: 'UPDATE payouts SET carried_by = $2 WHERE id = $1', parameters: [other.id, id] },
];

/** What becomes of a payout becomes of those that go along with it, but its cost, which counts once. */
const mirroring = (id: number): Statement => ({
  sql: `UPDATE payouts SET state = leader.state, waits_for = leader.waits_for, sender = leader.sender,
          transaction = leader.transaction, height = leader.height, confirmations = leader.confirmations,
          updated_at = leader.updated_at, change = leader.change
        FROM payouts AS leader WHERE leader.id = $1 AND payouts.carried_by = leader.id`,
  parameters: [id],
});

/** The name of a payout at the signer ends with its reference. */
const adopting = ({ id, network }: KeptPayout, signed: SignedAttempt | undefined): Statement[] => [
  {
    sql: `UPDATE payouts SET carried_by = $1
          WHERE network = $2 AND purpose = 'withdrawal' AND reference = ANY ($3::int8[]) AND state = 'PLANNED'
            AND sender = ''`,
    parameters: [
      id,
      network,
      signed === undefined ? [] : othersOf(signed.terms).map(({ id: name }) => referenceOf(name)),
    ],
  },
];

/** What is fixed before the signer is asked. */
function createTaking(update: Update) {
  return {
    /**
     * Fixes what decides the bytes of a payout that has nothing fixed, and which others go along with it. @param next the
     * nonce as it was read
     */
    take: (
      payout: KeptPayout,
      { terms: of, carried }: { readonly terms: Terms; readonly carried: readonly KeptPayout[] },
      sender: string,
      next: number | null,
      now: number,
    ) => {
      const nonce = nonceOf(of);
      return update(payout, { sender, nonce, waits_for: '' }, now, [
        ...advancing(payout.network, next, nonce === null || payout.payer !== undefined ? next : nonce + 1),
        ...carried.flatMap((other) => carrying(payout, other)),
        attempting(payout, 1, of),
      ]);
    },

    /** Gives back what was fixed for a payout that was not signed. */
    release: (payout: KeptPayout, waitsFor: WaitsFor, now: number) =>
      update(payout, { sender: '', nonce: null, waits_for: waitsFor }, now, [
        dropping(payout),
        ...givingBack(payout),
        {
          sql: `UPDATE payouts SET carried_by = NULL, sender = '', waits_for = '', change = next_payout_change()
                WHERE carried_by = $1`,
          parameters: [payout.id],
        },
      ]),
  };
}

/** What happens to a payout that the signer is asked for. */
function createAttempts(update: Update) {
  return {
    /**
     * Takes over what the signer has signed for a payout and this database has forgotten, since it was set back. A nonce that
     * was taken for it now is given back.
     */
    adopt: (payout: KeptPayout, signed: readonly SignedAttempt[], sender: string, now: number) => {
      const last = signed.at(-1);
      return update(
        payout,
        {
          ...{
            sender,
            nonce: last === undefined ? null : nonceOf(last.terms),
            transaction: last?.transaction ?? null,
            waits_for: '',
          },
          state: payout.state === 'PLANNED' ? 'SIGNED' : payout.state,
        },
        now,
        [
          dropping(payout),
          ...(payout.state === 'PLANNED' ? givingBack(payout) : []),
          ...adopting(payout, last),
          ...signed.map(({ attempt, terms: of, raw, transaction }) => ({
            sql: `INSERT INTO payout_attempts (payout, attempt, terms, raw, transaction) VALUES ($1, $2, $3, $4, $5)
                  ON CONFLICT DO NOTHING`,
            parameters: [payout.id, attempt, writeJson(of), raw, transaction],
          })),
        ],
      );
    },

    /** Fixes a replacement. */
    addAttempt: (payout: KeptPayout, attempt: number, of: Terms, now: number) =>
      update(payout, {}, now, [attempting(payout, attempt, of)]),

    /** Takes back a replacement that was not signed. */
    dropAttempt: (payout: KeptPayout, waitsFor: WaitsFor, now: number) =>
      update(payout, { waits_for: waitsFor }, now, [dropping(payout)]),

    /** The bytes, before they are sent. */
    signed: (payout: KeptPayout, attempt: number, raw: string, transaction: string, now: number) =>
      update(payout, { state: payout.state === 'PLANNED' ? 'SIGNED' : payout.state, waits_for: '', transaction }, now, [
        {
          sql: 'UPDATE payout_attempts SET raw = $3, transaction = $4 WHERE payout = $1 AND attempt = $2',
          parameters: [payout.id, attempt, raw, transaction],
        },
      ]),
  };
}

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

    async pause(network: NetworkName, isPaused: boolean): Promise<void> {
      await database.query('UPDATE payout_networks SET is_paused = $2 WHERE network = $1', [network, isPaused]);
    },
  };
}

/** @returns false where something else has changed the payout since it was read; nothing was done then */
type Update = (
  payout: KeptPayout,
  values: Readonly<Record<string, Parameter>>,
  now: number,
  others?: readonly Statement[],
) => Promise<boolean>;

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

/** What is told of a transaction in a block. */
export interface InBlock {
  readonly transaction: string;
  readonly height: number;
  readonly confirmations: number;
  readonly cost: bigint;
  readonly isUndone: boolean;
}

/** How a cost goes to the ledger: `units × multiplier ÷ divisor`, rounded down, the rest kept for the next. */
export interface CostScale {
  readonly asset: number;
  readonly divisor: bigint;
  readonly multiplier: bigint;
}

/** What ends with a payout. */
export interface Ending {
  /** Undefined where the chain's own coin is not in the ledger. */
  readonly scale: CostScale | undefined;
  /** What the client has paid for it, in smallest units of the ledger. */
  readonly charged: bigint | undefined;
  /** The same of those that went along with it. */
  readonly carried: readonly { readonly id: number; readonly charged: bigint | undefined }[];
  readonly told: readonly Statement[];
}

const costStatements = ({ id, network }: KeptPayout, cost: bigint, scale: CostScale | undefined): Statement[] =>
  scale === undefined || cost === 0n
    ? []
    : [
        {
          sql: `INSERT INTO payout_costs (sequence, payout, asset, amount)
                SELECT (SELECT coalesce(max(sequence), 0) + 1 FROM payout_costs), $1, $2, amount
                FROM (SELECT (div(cost_rest + $3::text::numeric, $4::text::numeric) * $5::text::numeric)::int8 AS amount
                      FROM payout_networks WHERE network = $6) AS booked
                WHERE amount > 0`,
          parameters: [id, scale.asset, String(cost), String(scale.divisor), String(scale.multiplier), network],
        },
        {
          sql: `UPDATE payout_networks SET cost_rest = mod(cost_rest + $2::text::numeric, $3::text::numeric)
                WHERE network = $1`,
          parameters: [network, String(cost), String(scale.divisor)],
        },
      ];

/** What happens to a payout on its chain. */
function createFollowing(update: Update) {
  const columns = ({ transaction, height, confirmations, cost, isUndone }: InBlock) => ({
    ...{ transaction, height, confirmations, waits_for: '', is_undone: isUndone },
    cost: String(cost),
  });
  return {
    waits: (payout: KeptPayout, waitsFor: WaitsFor, now: number) => update(payout, { waits_for: waitsFor }, now),

    /** A node has an attempt. */
    sent: (payout: KeptPayout, { attempt }: Attempt, height: number, now: number) =>
      update(payout, { state: 'BROADCAST', waits_for: '' }, now, [
        {
          sql: 'UPDATE payout_attempts SET sent_height = coalesce(sent_height, $3) WHERE payout = $1 AND attempt = $2',
          parameters: [payout.id, attempt, height],
        },
      ]),

    mined: (payout: KeptPayout, block: InBlock, now: number) =>
      update(payout, { state: 'MINED', ...columns(block) }, now),

    /** Its block is no longer part of the chain. */
    unmined: (payout: KeptPayout, now: number) =>
      update(
        payout,
        {
          ...{ state: 'BROADCAST', height: null, confirmations: 0, cost: null, is_undone: false },
          transaction: payout.attempts.findLast(({ raw }) => raw !== null)?.transaction ?? null,
        },
        now,
      ),

    /** In a block that stays. */
    ended: (
      payout: KeptPayout,
      state: 'FINAL' | 'FAILED',
      block: InBlock,
      { scale, charged, carried, told }: Ending,
      now: number,
    ) => {
      const charging = carried.map((one) => ({
        sql: 'UPDATE payouts SET charged = $2 WHERE id = $1',
        parameters: [one.id, one.charged ?? null],
      }));
      const others = [...costStatements(payout, block.cost, scale), ...charging, ...told];
      return update(payout, { state, ...columns(block), charged: charged ?? null }, now, others);
    },

    /** Without having paid, and without a cost. */
    failed: (payout: KeptPayout, others: readonly Statement[], now: number) =>
      update(
        payout,
        { state: 'FAILED', waits_for: '', height: null, confirmations: 0, cost: null, is_undone: false },
        now,
        others,
      ),
  };
}

export function createPayoutStore(database: Database) {
  const update = createUpdate(database);
  return {
    ...createReading(database),
    ...createTaking(update),
    ...createAttempts(update),
    ...createSwitches(database, update),
    ...createFollowing(update),
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
              payer_index, change, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6::text::numeric, $7, $9, $10, next_payout_change(), $8, $8)`,
      parameters: [
        ...[purpose, reference, network, coin, address, String(units), confirmations, now],
        ...[payer?.address ?? '', payer?.index ?? null],
      ],
    }),
  };
}

export type PayoutStore = ReturnType<typeof createPayoutStore>;
