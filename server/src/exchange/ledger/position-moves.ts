/**
 * What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. They are written
 * from the rows of the changes (`futures/change-rows.ts`), so that a change is copied into the database once.
 */
import { CAUSES, MOVED_ACCOUNTS, Move } from '@cambist/core/events/position-records.ts';
import { OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { PositionCause } from '@cambist/core/margin/event.ts';

/**
 * Changes of positions and objects of a batch are one sequence, from 1 on. It is the sequence of a ledger's row, and with the
 * batch × PLACES it is the id of a change.
 */
export const PLACES = 2 ** 20;

/** By what a position was changed, or that the insurance paid what its owner could not. */
export type PositionReason = `position-${Exclude<PositionCause, 'mode'>}` | 'loss-covered';

/**
 * What a row of changes has of each account that may move, by `Move`: what was won comes from clearing, a fee goes to the fees, and
 * all sums to zero.
 */
const AMOUNTS: readonly string[] = Object.entries({
  [Move.AVAILABLE]: 'realised - fee - held - to_margin - to_funding - to_insurance',
  [Move.HELD]: 'held',
  [Move.MARGIN]: 'to_margin',
  [Move.CLEARING]: '-realised',
  [Move.FEES]: 'fee',
  [Move.FUNDING]: 'to_funding',
  [Move.INSURANCE]: 'to_insurance',
})
  .sort(([one], [other]) => Number(one) - Number(other))
  .map(([, amount]) => amount);

/** A cause in a row is one more than its index: arrays of SQL count from 1. */
const REASONS = CAUSES.map((cause) => `'position-${cause}'`).join(', ');

/** Without those that do not move. */
const arrayOf = (entryOf: (amount: string, move: number) => string) =>
  `array_remove(ARRAY[${AMOUNTS.map(entryOf).join(', ')}], NULL)`;
const ACCOUNTS = arrayOf((amount, move) => {
  const { key, isOwn } = MOVED_ACCOUNTS[move]!;
  return `CASE WHEN ${amount} <> 0 THEN ${isOwn ? `owner * ${OWNER_KEYS} + ` : ''}${key} + asset END`;
});

/** Writes the rows of the ledger from a table of changes, of which those that move nothing have none. */
export const insertMoved = (changes: string): string => `
  INSERT INTO ledger_transactions (batch, sequence, reason, reference, accounts, amounts, time, transfer, detail, after_trade)
  SELECT id / ${PLACES}, id % ${PLACES}, (ARRAY[${REASONS}])[cause], market, ${ACCOUNTS}, ${arrayOf((amount) => `nullif(${amount}, 0)`)},
         time, 0, '', after_trade
  FROM ${changes} WHERE ${AMOUNTS.map((amount) => `${amount} <> 0`).join(' OR ')}`;
