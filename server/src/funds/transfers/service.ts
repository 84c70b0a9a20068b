/** Moving funds between a client's own wallets: reserved at once, moved on once its witnesses have confirmed it. */
import type { Transfer as TransferAnswer, WitnessName } from '@cambist/contract/transfers.ts';
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { formatAmount, parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import type { TradingPassword } from '../../exchange/orders/service.ts';
import type { Identity, Refusal } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Confirmer, PendingLedger, Reserved } from './confirmer.ts';
import type { ListFilter, Transfer, TransferStore } from './store.ts';

/** All of a client's open cross-margin positions, and what of a coin's futures balance each leaves free. */
export type ExposureOf = (clientId: number) => readonly Position[];

export interface Position {
  readonly id: string;
  readonly pairName: string;
  readonly asset: Asset;
  /** Smallest units. */
  readonly free: bigint;
}

export interface Wish {
  readonly owner: number;
  readonly from: TransferableWallet;
  readonly to: TransferableWallet;
  readonly asset: number;
  readonly amount: bigint;
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly reserved: Reserved }
  /** The key has led to this transfer before. */
  | { readonly kind: 'repeated'; readonly id: number }
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'invalid-amount' }
  | { readonly kind: 'debt'; readonly refusal: Refusal }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'not-accepted' }
  | { readonly kind: 'outcome-unknown' };

export interface TransferLedger extends PendingLedger {
  /** What the key has led to already; undefined where it is new. */
  reservedBefore(wish: Wish, intent: IntentKey): Promise<Reservation | undefined>;
  reserve(wish: Wish, intent: IntentKey | undefined): Promise<Reservation>;
}

export interface TransferDeps {
  readonly store: TransferStore;
  readonly ledger: TransferLedger;
  readonly confirmer: Pick<Confirmer, 'take' | 'find'>;
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly assetById: (id: number) => Asset | undefined;
  readonly password: TradingPassword;
  readonly exposureOf: ExposureOf;
  /** In the order in which they are shown. */
  readonly witnesses: readonly WitnessName[];
  /** Called with the owner of one that has begun: what is pushed is its confirmations. */
  readonly noteChange: (owner: number) => void;
}

export interface TransferInput {
  readonly from: TransferableWallet;
  readonly to: TransferableWallet;
  readonly coin: string;
  readonly amount: string;
  /** Empty where the session's trading unlock stands in for it. */
  readonly password: string;
}

export type TransferError =
  | { readonly kind: 'unknown-coin'; readonly name: string }
  | { readonly kind: 'invalid-amount'; readonly detail: LocalizedText }
  | { readonly kind: 'password-required' }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'exposed'; readonly position: Position }
  | { readonly kind: 'insufficient'; readonly wallet: TransferableWallet }
  | { readonly kind: 'debt'; readonly refusal: Refusal }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'not-accepted' }
  | { readonly kind: 'outcome-unknown' };

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: TransferError };

const fail = (error: TransferError): { ok: false; error: TransferError } => ({ ok: false, error });

function readAmount(text: string, asset: Asset): Result<bigint> {
  const parsed = parseAmount(text, asset.scale);
  if (!parsed.ok) return fail({ kind: 'invalid-amount', detail: amountProblem(parsed.error, asset.scale) });
  if (parsed.value === 0n) return fail({ kind: 'invalid-amount', detail: say('Amount is required') });
  return { ok: true, value: parsed.value };
}

function describeTransfer(deps: Pick<TransferDeps, 'assetById' | 'witnesses'>, transfer: Transfer): TransferAnswer {
  const asset = deps.assetById(transfer.asset);
  const witnesses = deps.witnesses.slice(0, transfer.required);
  return {
    id: String(transfer.id),
    from: transfer.from,
    to: transfer.to,
    coin: asset?.code ?? '',
    amount: formatAmount(transfer.amount, asset?.scale ?? 0),
    state: transfer.state,
    confirmations: witnesses.filter((name) => transfer.confirmed[name] !== undefined).length,
    confirmations_required: transfer.required,
    witnesses: witnesses.map((name) => ({ name, confirmed_at: transfer.confirmed[name] ?? null })),
    reason: transfer.reason === '' ? null : transfer.reason,
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
  };
}

export function createTransferService(deps: TransferDeps) {
  const { store, ledger, confirmer } = deps;

  async function passwordProblem(identity: Identity, password: string): Promise<TransferError | undefined> {
    // The funds stay the client's, so the session's trading unlock is enough. An API key has neither.
    if (password === '' && identity.permissions !== undefined) return { kind: 'password-required' };
    const checked = await deps.password.check(identity, password);
    if (checked === 'ok') return undefined;
    return { kind: checked === 'required' ? 'password-required' : 'wrong-password' };
  }

  async function answerTo(wish: Wish, reservation: Reservation): Promise<Result<Transfer>> {
    switch (reservation.kind) {
      case 'reserved': {
        const begun = await confirmer.take(reservation.reserved);
        deps.noteChange(begun.owner);
        return { ok: true, value: begun };
      }
      case 'repeated': {
        const known = async () => confirmer.find(reservation.id) ?? (await store.find(wish.owner, reservation.id));
        // Who sent it first may have its answer a moment later than who sent it again; it is under way or has a row by then.
        const earlier = (await known()) ?? (await known());
        if (earlier === undefined) throw new Error(`Transfer ${reservation.id} was reserved and has no row`);
        return { ok: true, value: earlier };
      }
      case 'insufficient':
        return fail({ kind: 'insufficient', wallet: wish.from });
      case 'invalid-amount':
        return fail({ kind: 'invalid-amount', detail: say('The number is too large') });
      case 'debt':
      case 'key-reused':
      case 'not-accepted':
      case 'outcome-unknown':
        return fail(reservation);
    }
  }

  return {
    async begin(identity: Identity, input: TransferInput, intent?: IntentKey): Promise<Result<Transfer>> {
      const { from, to, coin } = input;
      const asset = deps.assetByCode(coin);
      if (asset === undefined) return fail({ kind: 'unknown-coin', name: coin });
      const amount = readAmount(input.amount, asset);
      if (!amount.ok) return amount;
      const refused = await passwordProblem(identity, input.password);
      if (refused) return fail(refused);
      const wish = { owner: identity.clientId, from, to, asset: asset.id, amount: amount.value };
      // What was moved already is no longer free: who asks again is told of that transfer, not that it cannot be made.
      const earlier = intent && (await ledger.reservedBefore(wish, intent));
      if (earlier) return answerTo(wish, earlier);
      const exposed = from === 'FUTURE' ? deps.exposureOf(identity.clientId) : [];
      const position = exposed.find((one) => one.asset.id === asset.id && amount.value > one.free);
      if (position) return fail({ kind: 'exposed', position });
      return answerTo(wish, await ledger.reserve(wish, intent));
    },
    list: (filter: ListFilter): Promise<Transfer[]> => store.list(filter),
    find: (owner: number, id: number): Promise<Transfer | undefined> => store.find(owner, id),
    exposureOf: deps.exposureOf,
    /** As it goes over the wire. */
    describe: (transfer: Transfer): TransferAnswer => describeTransfer(deps, transfer),
  };
}

export type TransferService = ReturnType<typeof createTransferService>;
