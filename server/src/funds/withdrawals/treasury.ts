/** What an operator sets for withdrawals: the policy of reviews, addresses that nothing is sent to, figures of networks. */
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
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
  readonly clock: { now(): number };
  readonly bitcoin: BitcoinNetwork;
}

export type TreasuryError =
  | { readonly kind: 'not-found' }
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

type Act = ReturnType<typeof createAct>;

/** What must be on record is not done without. */
function createAct({ audit, policies }: TreasuryDeps) {
  return async ({ by, address }: Operator, name: AuditAct, detail: Record<string, unknown>, ...acts: Statement[]) => {
    await audit.record({ actorId: by.clientId, act: name, address, detail });
    return policies.write(by, ...acts);
  };
}

function createPolicy({ policies, quote }: TreasuryDeps, act: Act) {
  return {
    policy: policies.policy,

    async changePolicy(operator: Operator, wish: Given<Policy>): Promise<Result<Policy, TreasuryError>> {
      const policy = { ...(await policies.policy()), ...given(wish) } as Policy;
      const [approval, fourEyes] = [policy.approval_usdt, policy.four_eyes_usdt].map((text) =>
        parseAmount(text, quote.scale),
      );
      if (!approval?.ok) return invalid('approval_usdt', amountProblem(approval?.error ?? 'EMPTY', quote.scale));
      if (!fourEyes?.ok) return invalid('four_eyes_usdt', amountProblem(fourEyes?.error ?? 'EMPTY', quote.scale));
      const tooFew = say('Two operators approve from the same amount on or a larger one.');
      if (fourEyes.value < approval.value) return invalid('four_eyes_usdt', tooFew);
      const [saved] = await act(operator, 'change-withdrawal-policy', given(wish), policies.saving(wish));
      // Another operator has changed the other amount meanwhile.
      return saved === undefined ? invalid('four_eyes_usdt', tooFew) : { ok: true, value: saved as Policy };
    },
  };
}

function createFraudulent({ policies, clock, bitcoin }: TreasuryDeps, act: Act) {
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

    async removeFraudulent(operator: Operator, id: number): Promise<boolean> {
      return (await act(operator, 'remove-fraudulent-address', { id }, policies.removing(id))).length > 0;
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

function createFigures({ networks, assetByCode }: TreasuryDeps, act: Act) {
  return {
    figures: networks.all,

    async changeFigures(
      operator: Operator,
      coin: string,
      network: NetworkName,
      wish: FigureWish,
    ): Promise<Result<CoinNetwork, TreasuryError>> {
      const find = async () => (await networks.all()).find((one) => one.coin === coin && one.network === network);
      const [before, asset] = [await find(), assetByCode(coin)];
      if (before === undefined || asset === undefined) return fail({ kind: 'not-found' });
      const problem = figureProblem(before, asset, wish);
      if (problem !== undefined) return invalid('network', problem);
      try {
        await act(
          operator,
          'change-coin-network',
          { coin, network, ...given(wish) },
          networks.changing(coin, network, wish),
        );
      } catch (error) {
        // Another operator has changed the other figure meanwhile.
        if (error instanceof ConstraintViolation) return invalid('network', say('These figures do not fit together.'));
        throw error;
      }
      const after = await find();
      return after === undefined ? fail({ kind: 'not-found' }) : { ok: true, value: after };
    },
  };
}

export function createTreasury(deps: TreasuryDeps) {
  const act = createAct(deps);
  return { ...createPolicy(deps, act), ...createFraudulent(deps, act), ...createFigures(deps, act) };
}

export type Treasury = ReturnType<typeof createTreasury>;
