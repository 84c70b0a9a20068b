/** What the treasury calls stages, reasons, troubles and states. */
import type { ReviewReason } from '@cambist/contract/admin-withdrawals.ts';
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { msg } from '../../../lib/i18n.ts';
import type { Chains, Reviewed } from './treasury-queries.ts';

export const STAGES: Readonly<Record<WithdrawalStage, string>> = {
  REQUESTED: msg('Requested'),
  APPROVAL: msg('Waiting for approval'),
  APPROVED: msg('Approved'),
  SIGNING: msg('Being signed'),
  BROADCAST: msg('Sent to the network'),
  CONFIRMED: msg('In a block'),
  SETTLED: msg('Settled'),
  REFUSED: msg('Refused'),
  CANCELLED: msg('Cancelled by the client'),
  FAILED: msg('Failed'),
};

export const REASONS: Readonly<Record<ReviewReason, string>> = {
  AMOUNT: msg('Large sum in 24 hours'),
  FOUR_EYES: msg('Needs two operators'),
  UNUSUAL_AMOUNT: msg('Far above the usual amount'),
  NEW_DEVICE: msg('New device'),
  NEW_ADDRESS: msg('New address'),
  UNTRUSTED_PRICE: msg('No trusted price'),
  FREQUENT: msg('Many in a short time'),
};

export const ACTORS: Readonly<Record<Reviewed['events'][number]['actor'], string>> = {
  CLIENT: msg('Client'),
  EXCHANGE: msg('Exchange'),
  OPERATOR: msg('Operator'),
  CHAIN: msg('Chain'),
};

export const TROUBLES: Readonly<Record<NonNullable<Chains['chains'][number]['trouble']>, string>> = {
  PAUSED: msg('Paused'),
  BEHIND: msg('Behind'),
  SPLIT: msg('Nodes disagree'),
  AWAY: msg('No node answers'),
};

type Payout = Chains['payouts'][number];

export const PAYOUT_STATES: Readonly<Record<Payout['state'], string>> = {
  PLANNED: msg('Planned'),
  SIGNED: msg('Signed'),
  BROADCAST: msg('Sent to the network'),
  MINED: msg('In a block'),
  FINAL: msg('Final'),
  FAILED: msg('Failed'),
};

export const WAITS: Readonly<Record<Exclude<Payout['waits_for'], ''>, string>> = {
  FUNDS: msg('Waits for funds in the hot wallet'),
  SIGNER: msg('Waits for the signer'),
  NODE: msg('Waits for a node'),
  PAUSED: msg('Waits: payouts are paused'),
  REFUSED_BY_SIGNER: msg('The signer refuses it'),
  FEE: msg('Waits for a lower fee'),
  WOULD_FAIL: msg('The chain would undo it'),
};

export const SIGNER: Readonly<Record<Chains['signer']['state'], string>> = {
  READY: msg('Ready'),
  AWAY: msg('Does not answer'),
  NONE: msg('None configured'),
};
