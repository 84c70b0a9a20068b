/** What an operator sets for withdrawals: the policy of reviews, addresses that nothing is sent to, figures of networks. */
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { ProtectedFigure } from '@cambist/contract/pending-changes.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Worth } from '../../exchange/liquidity/service.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import type { Change, Figures, PendingChanges } from '../../identity/operators/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { byExchange } from '../../platform/authority.ts';
import { ConstraintViolation, type Statement } from '../../platform/database.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import {
  type BitcoinNetwork,
  type CoinNetwork,
  canonicalAddress,
  familyOf,
  type NetworkStore,
} from '../chains/service.ts';
import { type AddressFault, addressFault } from './addresses.ts';
import { fail, isWay, type Result, readAmount } from './inspection.ts';
import type { FraudulentAddress, Policy, PolicyStore } from './policy-store.ts';
import type { Operator } from './review.ts';

export interface TreasuryDeps {
  readonly policies: PolicyStore;
  readonly networks: NetworkStore;
  readonly quote: Asset;
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly audit: AuditLog;
  readonly pending: Pick<PendingChanges, 'define' | 'ask'>;
  readonly worth: Pick<Worth, 'middle'>;
  readonly clock: { now(): number };
  readonly bitcoin: BitcoinNetwork;
}

export type TreasuryError =
  | { readonly kind: 'not-found' | 'pending' }
  | { readonly kind: 'address'; readonly fault: AddressFault }
  | { readonly kind: 'invalid-field'; readonly field: string; readonly detail: LocalizedText };

type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** What an operator may change of a coin on a network. */
export type FigureWish = Given<
  Pick<CoinNetwork, 'deposit_minimum' | 'credited_at' | 'unlocked_at'> & {
    readonly withdraw_minimum: string;
    readonly withdraw_fee: string;
    readonly withdraw_confirmations: number;
  }
>;

const invalid = (field: string, detail: LocalizedText) => fail<TreasuryError>({ kind: 'invalid-field', field, detail });

/** Those that were given. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** What was changed at once, and what waits for a second operator or a day. */
interface Changed<Value> {
  readonly now: Value;
  readonly pending: Change | undefined;
}

const textOf = (value: string | number | null | undefined): string | null => (value == null ? null : String(value));

/** Those of the given fields that loosen, and the others. */
function separated<Wish extends object>(wish: Wish, isLooser: (name: keyof Wish & string) => boolean) {
  const entries = Object.entries(given(wish));
  const of = (isLoose: boolean) =>
    Object.fromEntries(entries.filter(([name]) => isLooser(name as keyof Wish & string) === isLoose)) as Partial<Wish>;
  return { tight: of(false), loose: of(true) };
}

const figuresOf = (names: readonly ProtectedFigure[], of: object): Figures =>
  Object.fromEntries(names.map((name) => [name, textOf((of as Record<string, string | number | null>)[name])]));

/** A change that was confirmed is done by the exchange for the operator who has asked for it. */
const operatorOf = ({ asked_by }: Change): Operator => ({ by: byExchange(asked_by), address: '' });

type Act = ReturnType<typeof createAct>;

/** What must be on record is not done without. */
function createAct({ audit, policies }: TreasuryDeps) {
  return async ({ by, address }: Operator, name: AuditAct, detail: Record<string, unknown>, ...acts: Statement[]) => {
    await audit.record({ actorId: by.clientId, act: name, address, detail });
    return policies.write(by, ...acts);
  };
}

const POLICY_NAMES = ['approval_usdt', 'four_eyes_usdt', 'hourly_count', 'median_factor'] as const;

function createPolicy({ policies, quote, pending }: TreasuryDeps, act: Act) {
  const save = async (operator: Operator, wish: Given<Policy>) => {
    const [saved] = await act(operator, 'change-withdrawal-policy', given(wish), policies.saving(wish));
    return saved as Policy | undefined;
  };

  pending.define('withdrawal-policy', {
    current: async () => figuresOf(POLICY_NAMES, await policies.policy()),
    async apply(change) {
      const saved = await save(operatorOf(change), change.payload as Given<Policy>);
      return saved === undefined ? 'These figures do not fit together.' : undefined;
    },
  });

  return {
    policy: policies.policy,

    /** A higher figure is looser: fewer withdrawals are looked at. */
    async changePolicy(operator: Operator, wish: Given<Policy>): Promise<Result<Changed<Policy>, TreasuryError>> {
      const before = await policies.policy();
      const policy = { ...before, ...given(wish) } as Policy;
      const [approval, fourEyes] = [policy.approval_usdt, policy.four_eyes_usdt].map((text) =>
        parseAmount(text, quote.scale),
      );
      if (!approval?.ok) return invalid('approval_usdt', amountProblem(approval?.error ?? 'EMPTY', quote.scale));
      if (!fourEyes?.ok) return invalid('four_eyes_usdt', amountProblem(fourEyes?.error ?? 'EMPTY', quote.scale));
      const tooFew = say('Two operators approve from the same amount on or a larger one.');
      if (fourEyes.value < approval.value) return invalid('four_eyes_usdt', tooFew);
      const { tight, loose } = separated(wish, (name) => Number(wish[name]) > Number(before[name]));
      // Another operator may have changed the other amount meanwhile, or the looser one of both waits.
      const saved = Object.keys(tight).length === 0 ? before : await save(operator, tight);
      if (saved === undefined) return invalid('four_eyes_usdt', tooFew);
      const names = POLICY_NAMES.filter((name) => name in loose);
      if (names.length === 0) return { ok: true, value: { now: saved, pending: undefined } };
      const asked = await pending.ask(operator, {
        ...{ kind: 'withdrawal-policy', subject: '', payload: loose, reason: '' },
        ...{ before: figuresOf(names, saved), after: figuresOf(names, loose) },
      });
      return asked === undefined ? fail({ kind: 'pending' }) : { ok: true, value: { now: saved, pending: asked } };
    },
  };
}

function createFraudulent({ policies, pending, clock, bitcoin }: TreasuryDeps, act: Act) {
  const find = async (id: number) => (await policies.fraudulent()).find((one) => one.id === id);

  // The id is the name of what is removed: it is never used again.
  pending.define('fraudulent-address', {
    async current(subject) {
      const entry = await find(Number(subject.split(' ')[0]));
      return { refused: entry === undefined ? null : 'yes' };
    },
    async apply(change) {
      const { id } = change.payload as { readonly id: number };
      await act(operatorOf(change), 'remove-fraudulent-address', { id }, policies.removing(id));
      return undefined;
    },
  });

  return {
    fraudulent: policies.fraudulent,

    async addFraudulent(
      operator: Operator,
      entry: { readonly network: NetworkName; readonly address: string; readonly note: string },
    ): Promise<Result<{ row: FraudulentAddress; isNew: boolean }, TreasuryError>> {
      const { network, note } = entry;
      const fault = addressFault(network, entry.address, bitcoin);
      if (fault !== undefined) return fail({ kind: 'address', fault });
      const address = canonicalAddress(familyOf(network), entry.address);
      const adding = policies.adding({ network, address, note, added_at: clock.now() });
      const [added] = await act(operator, 'add-fraudulent-address', { network, address, note }, adding);
      const { is_new: isNew, ...row } = added as FraudulentAddress & { readonly is_new: boolean };
      return { ok: true, value: { row, isNew } };
    },

    /** Asks for it. */
    async removeFraudulent(operator: Operator, id: number): Promise<Result<Change, TreasuryError>> {
      const entry = await find(id);
      if (entry === undefined) return fail({ kind: 'not-found' });
      const asked = await pending.ask(operator, {
        ...{ kind: 'fraudulent-address', subject: `${id} ${entry.network} ${entry.address}`, payload: { id } },
        ...{ before: { refused: 'yes' }, after: { refused: null }, reason: '' },
      });
      return asked === undefined ? fail({ kind: 'pending' }) : { ok: true, value: asked };
    },
  };
}

/** The first thing that does not fit, with the other figures as they would be. */
function figureProblem(before: CoinNetwork, asset: Asset, wish: FigureWish): LocalizedText | undefined {
  const after = { ...before, ...given(wish) } as CoinNetwork;
  const amounts = [wish.deposit_minimum, wish.withdraw_minimum, wish.withdraw_fee].filter((text) => text !== undefined);
  for (const text of amounts) {
    const read = readAmount(text, asset, before.chain_scale);
    if (!read.ok) return 'detail' in read.error ? read.error.detail : say('The number is too large');
  }
  if (after.credited_at > after.unlocked_at) return say('What is credited is unlocked at the same depth or deeper.');
  const sends = [wish.withdraw_minimum, wish.withdraw_fee, wish.withdraw_confirmations];
  if (!isWay(before)) {
    return sends.some((one) => one !== undefined) ? say('This coin is not sent by this network.') : undefined;
  }
  const [minimum, fee] = [after.withdraw_minimum, after.withdraw_fee].map((text) =>
    parseAmount(text ?? '', asset.scale),
  );
  const isBelow = minimum?.ok && fee?.ok && fee.value < minimum.value;
  return isBelow ? undefined : say('The fee must be below the minimum.');
}

/** Confirmations: fewer are looser. */
const DEPTHS = ['credited_at', 'unlocked_at', 'withdraw_confirmations'] as const;
const isDepth = (name: string): name is (typeof DEPTHS)[number] => DEPTHS.some((depth) => depth === name);
/** USDT that a client may be charged for a withdrawal. */
const DEAREST_FEE = 100;

function createFigures({ networks, assetByCode, quote, worth, pending }: TreasuryDeps, act: Act) {
  const find = async (coin: string, network: NetworkName) =>
    (await networks.all()).find((one) => one.coin === coin && one.network === network);

  /** @returns false where another operator has changed the other figure meanwhile */
  async function save(operator: Operator, coin: string, network: NetworkName, wish: FigureWish): Promise<boolean> {
    try {
      const changing = networks.changing(coin, network, wish);
      await act(operator, 'change-coin-network', { coin, network, ...given(wish) }, changing);
      return true;
    } catch (error) {
      if (error instanceof ConstraintViolation) return false;
      throw error;
    }
  }

  function isTooDear(asset: Asset, fee: string | undefined): boolean {
    const parsed = parseAmount(fee ?? '', asset.scale);
    const usdt = parsed.ok ? worth.middle(asset.id, parsed.value) : undefined;
    return usdt !== undefined && usdt > BigInt(DEAREST_FEE) * 10n ** BigInt(quote.scale);
  }

  const wayOf = (subject: string) => subject.split(' ') as [string, NetworkName];
  pending.define('coin-network', {
    async current(subject) {
      const figures = await find(...wayOf(subject));
      return figures && figuresOf(DEPTHS, figures);
    },
    async apply(change) {
      const isSaved = await save(operatorOf(change), ...wayOf(change.subject), change.payload as FigureWish);
      return isSaved ? undefined : 'These figures do not fit together.';
    },
  });

  return {
    figures: networks.all,

    async changeFigures(
      operator: Operator,
      coin: string,
      network: NetworkName,
      wish: FigureWish,
    ): Promise<Result<Changed<CoinNetwork>, TreasuryError>> {
      const [before, asset] = [await find(coin, network), assetByCode(coin)];
      if (before === undefined || asset === undefined) return fail({ kind: 'not-found' });
      const problem = figureProblem(before, asset, wish);
      if (problem !== undefined) return invalid('network', problem);
      if (isTooDear(asset, wish.withdraw_fee)) {
        return invalid('withdraw_fee', say('The fee may be worth at most {{maximum}} USDT', { maximum: DEAREST_FEE }));
      }
      const { tight, loose } = separated(wish, (name) => isDepth(name) && Number(wish[name]) < Number(before[name]));
      const isSaved = Object.keys(tight).length === 0 || (await save(operator, coin, network, tight));
      if (!isSaved) return invalid('network', say('These figures do not fit together.'));
      const after = await find(coin, network);
      if (after === undefined) return fail({ kind: 'not-found' });
      const names = DEPTHS.filter((name) => name in loose);
      if (names.length === 0) return { ok: true, value: { now: after, pending: undefined } };
      const asked = await pending.ask(operator, {
        ...{ kind: 'coin-network', subject: `${coin} ${network}`, payload: loose, reason: '' },
        ...{ before: figuresOf(names, before), after: figuresOf(names, loose) },
      });
      return asked === undefined ? fail({ kind: 'pending' }) : { ok: true, value: { now: after, pending: asked } };
    },
  };
}

export function createTreasury(deps: TreasuryDeps) {
  const act = createAct(deps);
  return { ...createPolicy(deps, act), ...createFraudulent(deps, act), ...createFigures(deps, act) };
}

export type Treasury = ReturnType<typeof createTreasury>;
