/** The calls about sweeps, bounds and refills: each act of an operator is on record before it is done. */

import {
  COIN_PRICE_DECIMALS,
  cancelRefill,
  changeSweepPolicy,
  changeWalletBounds,
  hotAndCold,
  refillFile,
  uploadRefill,
} from '@cambist/contract/admin-hot-cold.ts';
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { FastifyRequest } from 'fastify';
import type { Change, Figures, PendingChanges } from '../../identity/operators/service.ts';
import { alreadyPending, type DescribeChange } from '../../identity/operators/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type Authority, byExchange, bySession } from '../../platform/authority.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { NodeFailure, unitsOf } from '../chains/service.ts';
import { cameTooLate, type RefillDeps, requestFile, type UploadFault, upload } from './refills.ts';
import type { Bounds, Move } from './store.ts';
import { describeHotAndCold, type ViewDeps } from './view.ts';

export interface ColdRouteDeps extends Omit<ViewDeps, 'payouts'>, RefillDeps {
  readonly payouts: ViewDeps['payouts'] & RefillDeps['payouts'];
  readonly audit: AuditLog;
  readonly pending: Pick<PendingChanges, 'define' | 'ask'>;
  readonly describeChange: DescribeChange;
  /** After a change: what it asks for is begun. */
  readonly wake: () => void;
}

const success = { message: 'success' as const };
const unknown = new Refusal(404, 'UNKNOWN_NETWORK', 'This coin does not travel by this network.');
const noRefill = new Refusal(404, 'REFILL_NOT_FOUND', 'There is no such refill.');
const tooLate = new Refusal(409, 'ALREADY_SIGNED', 'This refill was signed or given up already.');
const wrongOrder = new Refusal(422, 'INVALID_FIELD', 'The target must be between the lower and the upper bound.', {}, [
  { field: 'target', message: say('The target must be between the lower and the upper bound.') },
]);
/** Of a coin: a thousand million USDT. */
const DEAREST = 10n ** BigInt(9 + COIN_PRICE_DECIMALS);
const decimals = COIN_PRICE_DECIMALS;
const priceText = say('Enter a price above zero with at most {{decimals}} decimal places.', { decimals });
const noPrice = new Refusal(422, 'INVALID_FIELD', priceText, {}, [{ field: 'coin_price', message: priceText }]);
const faults: Readonly<Record<UploadFault, Refusal>> = {
  UNREADABLE: new Refusal(422, 'UNREADABLE', 'This is not a signed refill.'),
  OTHER: new Refusal(422, 'OTHER_REFILL', 'This file belongs to another refill.'),
  NOT_AS_ASKED: new Refusal(
    422,
    'NOT_AS_ASKED',
    'This transaction does not pay exactly what was asked. It was not sent.',
  ),
  LAPSED: new Refusal(
    409,
    'REFILL_LAPSED',
    'This refill had to be back sooner: no block takes it any more. Sign the next one.',
  ),
  MOVED_ON: tooLate,
  NODE: new Refusal(503, 'NO_NODE', 'No node of this network answers. Try again.'),
};

function isPrice(text: string): boolean {
  const price = unitsOf(text, COIN_PRICE_DECIMALS) ?? 0n;
  return price > 0n && price <= DEAREST;
}

type Act = (
  given: {
    readonly identity: Identity;
    readonly authority: Authority | undefined;
    readonly http: FastifyRequest;
  },
  name: AuditAct,
  detail: Record<string, unknown>,
  reason?: string,
) => Promise<Authority>;

/** What must be on record is not done without. @returns the authority to do it with */
function createAct(audit: AuditLog): Act {
  return async ({ identity, authority, http }, act, detail, reason) => {
    const by = authority ?? bySession(identity);
    await audit.record({ actorId: by.clientId, act, address: http.ip, detail, ...(reason && { reason }) });
    return by;
  };
}

function serveRefills(calls: CallServer, deps: ColdRouteDeps, act: Act): void {
  const { store, clock } = deps;
  async function refill(id: string): Promise<Move | undefined> {
    const move = await store.find(Number(id));
    return move?.kind === 'refill' ? move : undefined;
  }

  calls.serve(refillFile, async ({ params }) => {
    const move = await refill(params.id);
    if (move === undefined) return noRefill;
    return requestFile(deps, move).catch((error: unknown) => {
      if (error instanceof NodeFailure) return faults.NODE;
      throw error;
    });
  });

  calls.serve(uploadRefill, async ({ params, body, ...given }) => {
    const move = await refill(params.id);
    if (move === undefined) return noRefill;
    if (cameTooLate(move, clock.now())) return faults.LAPSED;
    if (move.state !== 'PLANNED') return tooLate;
    const by = await act(given, 'upload-refill', { refill: move.id });
    const fault = await upload(deps, by, move, body.file);
    return fault === undefined ? success : faults[fault];
  });

  calls.serve(cancelRefill, async ({ params, body, ...given }) => {
    const move = await refill(params.id);
    if (move === undefined) return noRefill;
    if (move.state !== 'PLANNED') return tooLate;
    const by = await act(given, 'cancel-refill', { refill: move.id }, body.reason);
    if (!(await store.cancelled(move, by, clock.now()))) return tooLate;
    deps.wake();
    return success;
  });
}

type Units = Pick<Bounds, 'low' | 'target' | 'high'>;

const figuresOf = (bounds: Units | undefined, scale: number): Figures => {
  const text = (units: bigint | undefined) => (units === undefined ? null : formatAmount(units, scale));
  return { low: text(bounds?.low), target: text(bounds?.target), high: text(bounds?.high) };
};

/** More may stay in the hot wallet, or any amount. */
const isLooser = (before: Units | undefined, after: Units | undefined): boolean =>
  before !== undefined && (after === undefined || after.target > before.target || after.high > before.high);

function createBounds({ store, networks, chains, wake }: ColdRouteDeps) {
  const wayOf = async (coin: string, network: string) => {
    const way = (await networks.all()).find((one) => one.coin === coin && one.network === network);
    return way === undefined || chains.get(way.network)?.sender === undefined ? undefined : way;
  };
  return {
    wayOf,
    current: async (coin: string, network: string) =>
      (await store.bounds()).find((one) => one.coin === coin && one.network === network),
    async save(by: Authority, network: NetworkName, coin: string, units: Units | undefined): Promise<void> {
      if (units === undefined) return store.removeBounds(by, network, coin);
      await store.saveBounds(by, { network, coin, ...units });
      wake();
    },
  };
}

type WrittenBounds = { readonly low: string; readonly target: string; readonly high: string };

/** @returns undefined where one has too many decimals */
function unitsIn({ low, target, high }: WrittenBounds, scale: number): Units | undefined {
  const units = [low, target, high].map((text) => unitsOf(text, scale));
  const [first, second, third] = units;
  return first === undefined || second === undefined || third === undefined
    ? undefined
    : { low: first, target: second, high: third };
}

/** Bounds of hot wallets. What lets more stay there waits. */
function serveBounds(calls: CallServer, deps: ColdRouteDeps, act: Act): void {
  const { pending, describeChange, audit } = deps;
  const bounds = createBounds(deps);

  pending.define('wallet-bounds', {
    async current(subject) {
      const [coin = '', network = ''] = subject.split(' ');
      const way = await bounds.wayOf(coin, network);
      return way && figuresOf(await bounds.current(coin, network), way.chain_scale);
    },
    async apply({ subject, payload, asked_by: actorId }: Change) {
      const [coin = '', network = ''] = subject.split(' ');
      const way = await bounds.wayOf(coin, network);
      if (way === undefined) return 'It is no longer there.';
      const { bounds: wanted } = payload as { readonly bounds: WrittenBounds | null };
      const name = wanted === null ? 'remove-wallet-bounds' : 'change-wallet-bounds';
      await audit.record({ actorId, act: name, detail: { coin, network, ...wanted } });
      const units = wanted === null ? undefined : unitsIn(wanted, way.chain_scale);
      await bounds.save(byExchange(actorId), way.network, coin, units);
      return undefined;
    },
  });

  calls.serve(changeWalletBounds, async ({ body, ...given }) => {
    const [coin, network] = [body.coin.toUpperCase(), body.network];
    const way = await bounds.wayOf(coin, network);
    if (way === undefined) return unknown;
    const units = body.bounds === null ? undefined : unitsIn(body.bounds, way.chain_scale);
    if (body.bounds !== null && units === undefined) {
      const text = say('The coin has {{maximum}} decimals', { maximum: way.chain_scale });
      return new Refusal(422, 'INVALID_FIELD', text);
    }
    if (units !== undefined && (units.low > units.target || units.target > units.high)) return wrongOrder;
    const before = await bounds.current(coin, network);
    if (isLooser(before, units)) {
      const by = given.authority;
      const figures = { before: figuresOf(before, way.chain_scale), after: figuresOf(units, way.chain_scale) };
      const asked = await pending.ask(
        { by, address: given.http.ip },
        {
          kind: 'wallet-bounds',
          subject: `${coin} ${network}`,
          ...figures,
          payload: { bounds: body.bounds },
          reason: '',
        },
      );
      return asked === undefined ? alreadyPending : { ...success, pending: await describeChange(asked, by.clientId) };
    }
    const name = units === undefined ? 'remove-wallet-bounds' : 'change-wallet-bounds';
    const by = await act(given, name, { coin, network, ...body.bounds });
    await bounds.save(by, network, coin, units);
    return { ...success, pending: null };
  });
}

export function serveHotAndCold(calls: CallServer, deps: ColdRouteDeps): void {
  const { sweeps } = deps;
  const act = createAct(deps.audit);
  serveRefills(calls, deps, act);
  calls.serve(hotAndCold, () => describeHotAndCold(deps));

  calls.serve(changeSweepPolicy, async ({ body, ...given }) => {
    if (!sweeps.serves(body.network)) return unknown;
    if (typeof body.coin_price === 'string' && !isPrice(body.coin_price)) return noPrice;
    await sweeps.changePolicy(await act(given, 'change-sweep-policy', body), body, deps.clock.now());
    return success;
  });
  serveBounds(calls, deps, act);
}
