/** Withdrawals of clients as they are shown, what may be withdrawn, and what a client may still change. */

import type { Locale } from '@cambist/contract/locales.ts';
import type { Withdrawal as WithdrawalAnswer, WithdrawNetwork } from '@cambist/contract/withdrawals.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import { type Chains, type CoinNetwork, canonicalAddress, familyOf, shownAddress } from '../chains/service.ts';
import type { Payouts } from '../payouts/service.ts';
import type { Arrivals } from './arrivals.ts';
import type { Funding } from './funding.ts';
import { isWay, type Way } from './inspection.ts';
import type { Notices } from './notices.ts';
import type { Processing } from './processing.ts';
import type { Person, SavedAddress } from './proofs.ts';
import type { StageStore } from './stage-store.ts';
import { CANCELLABLE, type ListFilter, type Said, type Withdrawal, type WithdrawalStore } from './store.ts';

export { withdrawalTimes } from './store.ts';

export interface ServiceDeps {
  readonly store: WithdrawalStore;
  readonly stages: StageStore;
  readonly funding: Funding;
  readonly notices: Notices;
  readonly processing: Pick<Processing, 'giveBack'>;
  readonly arrivals: Arrivals;
  readonly person: Pick<Person, 'rules' | 'savedAddresses' | 'isRestricted'>;
  /** Labels too. */
  readonly addressBook: (clientId: number) => Promise<readonly (SavedAddress & { readonly label: string })[]>;
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly payouts: Payouts | undefined;
  readonly dayLimitUsdt: (clientId: number) => Promise<number>;
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly assetById: (id: number) => Asset | undefined;
  readonly assetName: (code: string) => string;
  readonly onChange: (withdrawal: Withdrawal) => void;
  readonly clock: { now(): number };
}

export const textOf = (said: Said, locale: Locale): string => ('words' in said ? said.words : inLanguage(said, locale));

/** Why one that has not left yet waits. */
const waitingFor = {
  review: say('We are reviewing this withdrawal before it leaves.'),
  restriction: say('Withdrawals from your account are paused.'),
  paused: say('Withdrawals by this network are paused. It goes on by itself.'),
  away: say('This network cannot be reached at the moment. It goes on by itself.'),
} as const;

function stateOf({ stage }: Withdrawal, isRestricted: boolean): WithdrawalAnswer['state'] {
  switch (stage) {
    case 'SETTLED':
      return 'PROCEED';
    case 'REFUSED':
    case 'CANCELLED':
    case 'FAILED':
      return stage;
    case 'REQUESTED':
    case 'APPROVAL':
    case 'APPROVED':
      return isRestricted ? 'FREEZE' : 'ONHOLD';
    default:
      return 'ONHOLD';
  }
}

const isCancellable = ({ stage, decision }: Withdrawal) => decision === '' && CANCELLABLE.some((one) => one === stage);

function createTroubleOf(payouts: Payouts | undefined) {
  return (network: Way['network']): WithdrawNetwork['trouble'] =>
    payouts?.serves(network) ? payouts.trouble(network) : 'AWAY';
}

/** A withdrawal as it goes over the wire. */
export function createDescribe({ payouts, assetById }: Pick<ServiceDeps, 'payouts' | 'assetById'>) {
  const troubleOf = createTroubleOf(payouts);

  function reasonOf(withdrawal: Withdrawal, isRestricted: boolean): Said | null {
    const { stage, network, receiver, decision } = withdrawal;
    if (withdrawal.reason !== null) return withdrawal.reason;
    if (stage === 'APPROVAL') return waitingFor.review;
    if (stage !== 'APPROVED' || decision !== '') return null;
    if (isRestricted) return waitingFor.restriction;
    const trouble = receiver === null ? troubleOf(network) : null;
    if (trouble === null) return null;
    return trouble === 'PAUSED' ? waitingFor.paused : waitingFor.away;
  }

  return (withdrawal: Withdrawal, isRestricted: boolean, locale: Locale): WithdrawalAnswer => {
    const { id, coin, network, amount, fee, asset, stage, address } = withdrawal;
    const scale = assetById(asset)?.scale ?? 0;
    const reason = reasonOf(withdrawal, isRestricted);
    return {
      id: String(id),
      coin,
      network,
      withdraw_amount: formatAmount(amount, scale),
      fee: formatAmount(fee, scale),
      receive_amount: formatAmount(amount - fee, scale),
      withdraw_address: shownAddress(familyOf(network), address),
      is_internal: withdrawal.receiver !== null,
      date: withdrawal.requestedAt,
      application_time: withdrawal.requestedAt,
      updated_at: withdrawal.updatedAt,
      state: stateOf(withdrawal, isRestricted),
      stage,
      client_wallet: { coin: { name: coin } },
      transaction: withdrawal.transaction,
      confirmations: withdrawal.confirmations,
      confirmations_required: withdrawal.confirmationsRequired,
      reason: reason === null ? null : textOf(reason, locale),
      can_cancel: isCancellable(withdrawal),
    };
  };
}

/** Which coins leave by which networks, and what may leave now. */
function createOffers(deps: ServiceDeps) {
  const { networks, chains, funding, person, assetByCode, assetName, arrivals } = deps;
  const troubleOf = createTroubleOf(deps.payouts);
  const ways = async () => (await networks.all()).filter(isWay).filter(({ coin }) => assetByCode(coin) !== undefined);

  const describeWay = async (way: Way): Promise<WithdrawNetwork> => ({
    name: way.name,
    subname: way.network,
    value: way.network,
    minimum: way.withdraw_minimum,
    fee: way.withdraw_fee,
    arrival: await arrivals.minutes(way),
    confirmation: way.withdraw_confirmations,
    trouble: troubleOf(way.network),
    is_development: chains.get(way.network)?.isDevelopment ?? false,
  });

  return {
    async coins() {
      const all = await ways();
      const described = await Promise.all(
        all.map(async (way) => ({ coin: way.coin, network: await describeWay(way) })),
      );
      return [...Map.groupBy(described, ({ coin }) => coin)].map(([coin, group]) => ({
        name: coin,
        full_name: assetName(coin),
        image: `/icons/${coin.toLowerCase()}.svg`,
        networks: group.map(({ network }) => network),
      }));
    },

    async limits(owner: number) {
      const codes = [...new Set((await ways()).map(({ coin }) => coin))];
      const assets = codes.flatMap((code) => assetByCode(code) ?? []);
      const [rules, isRestricted, used, freesAt, most, coins] = await Promise.all([
        person.rules(owner),
        person.isRestricted(owner),
        funding.used(owner),
        funding.freesAt(owner),
        deps.dayLimitUsdt(owner),
        funding.withdrawable(
          owner,
          assets.map(({ id }) => id),
        ),
      ]);
      const sum = (limit: number) => ({ limit_usdt: String(limit), used_usdt: funding.shown(used) });
      return {
        status: isRestricted ? ('NOT_ALLOWED' as const) : ('ALLOWED' as const),
        day: sum(most),
        own: rules.limitUsdt === null ? null : sum(rules.limitUsdt),
        one_step: rules.oneStepUsdt === 0 ? null : sum(rules.oneStepUsdt),
        frees_at: freesAt,
        whitelist_only: rules.isWhitelistOnly,
        coins: coins.map(({ available, withdrawable }, at) => {
          const { code, scale } = assets[at]!;
          const shown = (units: bigint) => formatAmount(units, scale);
          const locked = available - withdrawable;
          return { coin: code, available: shown(available), withdrawable: shown(withdrawable), locked: shown(locked) };
        }),
      };
    },
  };
}

/** Saved addresses, and those that were withdrawn to. */
function createAddresses({ store, addressBook, networks }: ServiceDeps) {
  return async (owner: number, coin: string | undefined) => {
    const [saved, paid, ways] = await Promise.all([addressBook(owner), store.paidAddresses(owner), networks.all()]);
    const used = new Map(paid.map((one) => [`${one.coin} ${one.network} ${one.address}`, one]));
    const kept = saved.flatMap(({ address, label, active_at, ...entry }) => {
      const [code, name] = [entry.coin.toUpperCase(), entry.network.toUpperCase()];
      const way = ways.find((one) => one.coin === code && one.network === name);
      if (way === undefined) return [];
      const key = `${code} ${name} ${canonicalAddress(familyOf(way.network), address)}`;
      const last_used_at = used.get(key)?.used_at ?? null;
      used.delete(key);
      return [{ coin: code, network: way.network, address, label, is_saved: true, active_at, last_used_at }];
    });
    const others = [...used.values()].map(({ coin: code, network, address, used_at }) => ({
      ...{ coin: code, network, address: shownAddress(familyOf(network), address), label: '', is_saved: false },
      ...{ active_at: null, last_used_at: used_at },
    }));
    const wanted = coin?.toUpperCase();
    return [...kept, ...others]
      .filter((one) => wanted === undefined || one.coin === wanted)
      .sort((left, right) => (right.last_used_at ?? 0) - (left.last_used_at ?? 0));
  };
}

export function createWithdrawalService(deps: ServiceDeps) {
  const { store, stages, notices, person, processing, clock } = deps;
  const describe = createDescribe(deps);

  return {
    ...createOffers(deps),
    addresses: createAddresses(deps),

    async list(filter: ListFilter, locale: Locale): Promise<WithdrawalAnswer[]> {
      const [found, isRestricted] = await Promise.all([store.list(filter), person.isRestricted(filter.owner)]);
      return found.map((withdrawal) => describe(withdrawal, isRestricted, locale));
    },

    async find(owner: number, id: number): Promise<Withdrawal | undefined> {
      const found = await store.find(id);
      return found?.owner === owner ? found : undefined;
    },

    async describe(withdrawal: Withdrawal, locale: Locale): Promise<WithdrawalAnswer> {
      return describe(withdrawal, await person.isRestricted(withdrawal.owner), locale);
    },

    async events(id: number, locale: Locale) {
      const found = await store.events([id]);
      return found.map(({ stage, at, actor, detail }) => ({ stage, at, actor, text: textOf(detail, locale) }));
    },

    /** @returns undefined where it is too late */
    async cancel(by: Authority, withdrawal: Withdrawal): Promise<Withdrawal | undefined> {
      const cancelled = await stages.move({
        id: withdrawal.id,
        from: CANCELLABLE,
        to: 'CANCELLED',
        decision: 'void',
        actor: 'CLIENT',
        actorId: by.clientId,
        detail: say('You have cancelled it.'),
        now: clock.now(),
        conditions: [holdAuthority(by)],
        effects: notices.of('cancelled', withdrawal),
      });
      if (typeof cancelled === 'string') return undefined;
      deps.onChange(cancelled);
      await processing.giveBack(cancelled);
      return cancelled;
    },
  };
}

export type WithdrawalService = ReturnType<typeof createWithdrawalService>;
