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
import type { FastifyRequest } from 'fastify';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type Authority, bySession } from '../../platform/authority.ts';
import { type CallServer, type Identity, identityOf, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { NodeFailure, unitsOf } from '../chains/service.ts';
import { cameTooLate, type RefillDeps, requestFile, type UploadFault, upload } from './refills.ts';
import type { Move } from './store.ts';
import { describeHotAndCold, type ViewDeps } from './view.ts';

export interface ColdRouteDeps extends Omit<ViewDeps, 'payouts'>, RefillDeps {
  readonly payouts: ViewDeps['payouts'] & RefillDeps['payouts'];
  readonly audit: AuditLog;
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
    readonly identity: Identity | undefined;
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
    const by = authority ?? bySession(identityOf(identity));
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

export function serveHotAndCold(calls: CallServer, deps: ColdRouteDeps): void {
  const { store, sweeps, networks } = deps;
  const act = createAct(deps.audit);
  serveRefills(calls, deps, act);
  calls.serve(hotAndCold, () => describeHotAndCold(deps));

  calls.serve(changeSweepPolicy, async ({ body, ...given }) => {
    if (!sweeps.serves(body.network)) return unknown;
    if (typeof body.coin_price === 'string' && !isPrice(body.coin_price)) return noPrice;
    await sweeps.changePolicy(await act(given, 'change-sweep-policy', body), body, deps.clock.now());
    return success;
  });

  calls.serve(changeWalletBounds, async ({ body, ...given }) => {
    const [coin, network] = [body.coin.toUpperCase(), body.network];
    const way = (await networks.all()).find((one) => one.coin === coin && one.network === network);
    if (way === undefined || deps.chains.get(network)?.sender === undefined) return unknown;
    if (body.bounds === null) {
      await store.removeBounds(await act(given, 'remove-wallet-bounds', { coin, network }), network, coin);
      return success;
    }
    const [low, target, high] = (['low', 'target', 'high'] as const).map((name) =>
      unitsOf(body.bounds?.[name] ?? '', way.chain_scale),
    );
    if (low === undefined || target === undefined || high === undefined) {
      const text = say('The coin has {{maximum}} decimals', { maximum: way.chain_scale });
      return new Refusal(422, 'INVALID_FIELD', text);
    }
    if (low > target || target > high) return wrongOrder;
    const by = await act(given, 'change-wallet-bounds', { coin, network, ...body.bounds });
    await store.saveBounds(by, { network, coin, low, target, high });
    deps.wake();
    return success;
  });
}
