/** What is fixed and signed of payouts: nonces and other claims, attempts, and who goes along with whom. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Statement } from '../../platform/database.ts';
import type { SignedAttempt } from '../../signer/service.ts';
import { nonceOf, othersOf, type Terms, writeJson } from '../chains/service.ts';
import { type KeptPayout, paymentNamed, type Update } from './kept-payout.ts';
import type { WaitsFor } from './service.ts';

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

/** The name of a payout at the signer ends with its reference. */
const adopting = ({ id, network, purpose }: KeptPayout, signed: SignedAttempt | undefined): Statement[] => [
  {
    sql: `UPDATE payouts SET carried_by = $1
          WHERE network = $2 AND purpose = $4 AND reference = ANY ($3::int8[]) AND state = 'PLANNED'
            AND sender = ''`,
    parameters: [
      id,
      network,
      signed === undefined ? [] : othersOf(signed.terms).map(({ id: name }) => paymentNamed(name).reference),
      purpose,
    ],
  },
];

/** What is fixed before the signer is asked. */
export function createTaking(update: Update) {
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

interface SignedAs {
  /** At the signer. */
  readonly name: string;
  readonly raw: string;
  readonly transaction: string;
}

/** What happens to a payout that the signer is asked for. */
export function createAttempts(update: Update) {
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
    signed: (payout: KeptPayout, attempt: number, { name, raw, transaction }: SignedAs, now: number) =>
      update(payout, { state: payout.state === 'PLANNED' ? 'SIGNED' : payout.state, waits_for: '', transaction }, now, [
        {
          sql: 'UPDATE payout_attempts SET raw = $3, transaction = $4 WHERE payout = $1 AND attempt = $2',
          parameters: [payout.id, attempt, raw, transaction],
        },
        { sql: 'UPDATE payout_book SET newest_signed = $1', parameters: [name] },
      ]),
  };
}
