/** The calls of futures: HTTP in, the services' answers out. Refusals are those of orders. */

import type { PositionTerm } from '@cambist/contract/futures.ts';
import * as futures from '@cambist/contract/futures.ts';
import { daysLeft } from '@cambist/core/margin/term.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import type { Engine } from '../engine/engine.ts';
import { pairNames } from '../orders/describe.ts';
import { termOf } from '../orders/parse-term.ts';
import { orderRefusal } from '../orders/refusals.ts';
import type { Closed, Result } from '../orders/service.ts';
import type { Closing } from './closing.ts';
import { describeOffer, describeTerms } from './describe.ts';
import type { FuturesForm } from './form.ts';
import type { FuturesService } from './service.ts';
import type { FuturesStore } from './store.ts';

interface Deps {
  readonly form: FuturesForm;
  readonly calls: CallServer;
  readonly service: FuturesService;
  readonly closing: Closing;
  readonly store: FuturesStore;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'projector'>;
  readonly clock: { now(): number };
}

/** The documented answer to a wrong transaction password is a message, not a failure. */
function placedAnswer<Answer extends object>(result: Result<Answer>) {
  if (result.ok) return { message: 'success' as const, ...result.value };
  if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' as const };
  return orderRefusal(result.error);
}

/**
 * The documented calls of futures send no transaction password, and have one answer about it. What they need is the unlocked session,
 * or the password in a field of ours; without either they say `wrong_transaction_password`, and nothing is done.
 */
function documented<T>(result: Result<T>): Result<T> {
  const lacks = !result.ok && result.error.kind === 'password-required';
  return lacks ? { ok: false, error: { kind: 'wrong-password' } } : result;
}

/** A position whose term is running is not closed, and that is an answer; what it says is of the moment after the refusal. */
function closedAnswer(result: Result<Closed>, term: () => PositionTerm | null | undefined, now: number) {
  const known = !result.ok && result.error.kind === 'rejected' && result.error.reason === 'TERM_RUNNING' && term();
  if (known) {
    const { target_income: futureTarget, funds_floor: futureFundsToAdd, ends_at } = known;
    const left = daysLeft({ endsAt: ends_at }, now);
    return {
      message: 'closePositionError' as const,
      daysLeft: left,
      futureTarget,
      futureFundsToAdd,
      end_date: ends_at,
    };
  }
  const answer = placedAnswer(result);
  if (answer instanceof Refusal || !('order' in answer)) return answer;
  const isOpen = answer.order.state === 'PENDING' || Number(answer.in_parts?.open ?? 0) > 0;
  return isOpen ? { ...answer, message: 'closeRequest' as const } : answer;
}

function servePositions({ calls, service, store, engine }: Deps): void {
  calls.serve(futures.positions, ({ identity }) => service.positions(identity.clientId));

  calls.serve(futures.clientMargin, async ({ identity }) => {
    const { clientId } = identity;
    const { positions } = await service.positions(clientId);
    await engine.projector.caughtUp();
    const opened = await store.opened(clientId);
    const margin = positions.map((position) => ({
      ...position,
      open_interest: position.quantity,
      current_price: position.mark_price,
      duration: position.term?.days ?? null,
      // One that was closed since memory was read is not in the tables any more.
      start_date: opened.get(position.id) ?? 0,
      end_date: position.term?.ends_at ?? null,
    }));
    return { margin };
  });

  calls.serve(futures.coinFuturePnl, async ({ identity }) => {
    const { profit, part } = await service.gained(identity.clientId);
    return { spotProfit: profit, spotPercentage: part };
  });
}

function serveSettings({ calls, service, form }: Deps): void {
  calls.serve(futures.futuresSettings, async ({ query, identity }) => {
    const market = service.market(query.symbol);
    if (!market.ok) return orderRefusal(market.error);
    const settings = await service.settings(identity.clientId, market.value, query.position_side);
    const { tiers } = market.value.perpetual;
    const names = { coin_pair: pairNames(market.value), maximum_leverage: tiers[0]?.maximumLeverage ?? 1 };
    const { sellsEmpty: sells_empty } = form;
    return { ...settings, ...names, sells_empty, ...describeTerms(market.value), terms: describeOffer(market.value) };
  });

  calls.serve(futures.changeLeverage, async ({ body, identity, intent }) => {
    const named = { name: body.symbol, positionSide: body.position_side };
    const result = await service.changeLeverage(identity, named, body, intent);
    return result.ok ? { message: 'success' as const, ...result.value } : orderRefusal(result.error);
  });

  calls.serve(futures.changePositionMode, async ({ body, identity, intent }) => {
    const result = await service.changePositionMode(identity, body.symbol, body.position_mode, intent);
    return result.ok ? { message: 'success' as const, ...result.value } : orderRefusal(result.error);
  });

  calls.serve(futures.changeMargin, async ({ body, identity, intent }) => {
    const named = { name: body.symbol, positionSide: body.position_side };
    const result = await service.changeMargin(identity, named, body.amount, intent);
    return result.ok ? { message: 'success' as const, position: result.value } : orderRefusal(result.error);
  });
}

function serveOrders({ calls, closing, clock }: Deps): void {
  calls.serve(futures.closePosition, async ({ body, identity, intent }) => {
    const { symbol, future_id: id, transaction_password: password, type, price, quantity } = body;
    const caller = identity;
    if (symbol === undefined) {
      const all = documented(await closing.closeAll(caller, id ?? '', password, intent));
      return closedAnswer(all, () => closing.termIn(caller, { id }), clock.now());
    }
    const input = {
      type,
      price,
      timeInForce: body.time_in_force,
      quantity,
      sharePercent: body.share_percent,
      password,
    };
    const named = { name: symbol, positionSide: body.position_side };
    const result = await closing.close(caller, named, input, intent);
    return closedAnswer(result, () => closing.termIn(caller, named), clock.now());
  });

  calls.serve(futures.closeFuture, async ({ query, identity, intent }) => {
    const { future_id: id, transaction_password: password } = query;
    const caller = identity;
    const result = documented(await closing.closeAll(caller, id, password, intent));
    return closedAnswer(result, () => closing.termIn(caller, { id }), clock.now());
  });

  calls.serve(futures.reversePosition, async ({ body, identity, intent }) => {
    const { symbol, transaction_password: password } = body;
    return placedAnswer(await closing.reverse(identity, symbol, password, intent));
  });

  calls.serve(futures.buyMore, async ({ body, identity, intent }) => {
    const { name, margin, leverage, transaction_password: password } = body;
    const price = body.opening_price || undefined;
    const term = termOf(body);
    const input = { name, isLong: body.delegate_type === 'BUY_MORE', margin, leverage, price, term, password };
    const opened = documented(await closing.open(identity, input, intent));
    return placedAnswer(opened.ok ? { ok: true, value: { order: opened.value } } : opened);
  });
}

export function serveFutures(deps: Deps): void {
  servePositions(deps);
  serveSettings(deps);
  serveOrders(deps);
}
