/** An operator's calls about pairs, coins and fees. */
import {
  changePerpetualTerms,
  previewPerpetualTerms,
  previewSettlement,
  setFuturesForm,
  settlePerpetual,
} from '@cambist/contract/admin-futures.ts';
import {
  adminMarkets,
  announceDelisting,
  changeMarket,
  delistMarket,
  listCoin,
  listMarket,
  setDefaultFees,
} from '@cambist/contract/admin-markets.ts';
import { msg } from '@cambist/contract/locales.ts';
import { haltMarket } from '@cambist/contract/operations.ts';
import type { FastifyRequest } from 'fastify';
import { rejectDetail } from '../../exchange/orders/errors.ts';
import type { MarketLookup } from '../../exchange/orders/service.ts';
import type { Operator, PendingChanges } from '../../identity/operators/service.ts';
import { alreadyPending, type DescribeChange } from '../../identity/operators/service.ts';
import type { Authority } from '../../platform/authority.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { invalidField } from '../../platform/refusals.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Delistings } from './delistings.ts';
import type { MaintenanceHalts } from './maintenance-halts.ts';
import type { PerpetualAdmin } from './perpetual-admin.ts';
import type { PerpetualSettling } from './perpetual-settlement.ts';
import { LIMIT_NAMES, limitFigures, separateLimits } from './protections.ts';
import type { Actor, MarketAdmin, MarketError } from './service.ts';

const success = { message: 'success' as const };

const unknownPair = (name: string) =>
  new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair called {{name}}.', { name }));

export function refusalOf(error: MarketError): Refusal {
  switch (error.kind) {
    case 'invalid-field':
      return invalidField(error.field, error.detail);
    case 'unknown-pair':
      return unknownPair(error.name);
    case 'unknown-coin':
      return new Refusal(
        404,
        'UNKNOWN_COIN',
        say('There is no coin {{code}} to pair. List it first.', { code: error.code }),
      );
    case 'coin-exists':
      return new Refusal(409, 'COIN_EXISTS', 'This coin is already listed.');
    case 'pair-exists':
      return new Refusal(409, 'PAIR_EXISTS', 'This pair is or was listed. Its name is not used again.');
    case 'not-confirmed':
      return new Refusal(422, 'NOT_CONFIRMED', 'Type the name of the pair to confirm.');
    case 'resumed':
      return new Refusal(409, 'MARKET_RESUMED', 'Another operator has resumed trading. The pair was not delisted.');
    case 'settling':
      return new Refusal(409, 'SETTLING', 'This market is being settled already.');
    case 'would-liquidate':
      return new Refusal(409, 'WOULD_LIQUIDATE', accountsText(error.accounts));
    case 'would-cancel':
      return new Refusal(409, 'WOULD_CANCEL', ordersText(error.orders));
    case 'would-pay':
      return new Refusal(409, 'WOULD_PAY', insuranceText(error.amount));
    case 'rejected':
      return new Refusal(422, error.reason, detailOf(error.reason));
  }
}

const accountsText = (count: number) =>
  say('Accounts that would be liquidated at once: {{count}}. Agree to that number, or choose milder terms.', { count });

const ordersText = (count: number) =>
  say(
    'Orders that would end: {{count}}. What they have reserved for the taker’s fee cannot change, so agree to end them.',
    {
      count,
    },
  );

const insuranceText = (amount: string) =>
  say('The insurance would pay {{amount}} USDT. Agree to that amount, or choose another price.', { amount });

/** The words of the orders' refusals, but where an operator's act means something else by them. */
function detailOf(reason: Extract<MarketError, { kind: 'rejected' }>['reason']): string | LocalizedText {
  switch (reason) {
    case 'INVALID_PRICE':
      return msg(
        'Resting orders or the last trade are at a price at which an order of this size could exceed what an account can hold. Choose a smaller one.',
      );
    case 'INVALID_SCHEDULE':
      return msg('Choose an end that is to come, and a close-only time no later than it.');
    case 'DUPLICATE_ID':
      return msg('Another operator has just listed something. Try again.');
    default:
      return rejectDetail(reason);
  }
}

function actorOf(identity: Identity, http: FastifyRequest, reason = ''): Actor {
  return { actorId: identity.clientId, reason, address: http.ip };
}

/** What waits for a second operator or a day. */
interface Waiting {
  readonly pending: Pick<PendingChanges, 'ask'>;
  readonly describe: DescribeChange;
}

const operatorOf = (by: Authority, http: FastifyRequest): Operator => ({ by, address: http.ip });

export function serveMarketAdmin(
  calls: CallServer,
  markets: MarketAdmin,
  lookup: MarketLookup,
  halts: MaintenanceHalts,
  delistings: Pick<Delistings, 'tellHolders'>,
  { pending, describe }: Waiting,
): void {
  calls.serve(adminMarkets, () => markets.list());

  calls.serve(listCoin, async ({ identity, http, body: { code, decimals, reason } }) => {
    const error = await markets.listCoin(actorOf(identity, http, reason), code, decimals);
    return error === undefined ? success : refusalOf(error);
  });

  calls.serve(listMarket, async ({ identity, http, body: { reason, ...input } }) => {
    const listed = await markets.listMarket(actorOf(identity, http, reason), input);
    return 'kind' in listed ? refusalOf(listed) : { ...success, market: listed };
  });

  calls.serve(changeMarket, async ({ identity, authority, http, params, body: { reason, ...input } }) => {
    const before = markets.limitsOf(params.symbol, input);
    if ('kind' in before) return refusalOf(before);
    const { tight, loose } = separateLimits(before.now, before.next);
    const names = LIMIT_NAMES.filter((name) => name in loose);
    const isTighter = JSON.stringify(tight) !== JSON.stringify(before.now);
    const changed =
      isTighter || names.length === 0
        ? await markets.change(actorOf(identity, http, reason), params.symbol, tight)
        : markets.named(params.symbol);
    if ('kind' in changed) return refusalOf(changed);
    if (names.length === 0) return { ...success, market: changed, pending: null };
    const operator = operatorOf(authority, http);
    const asked = await pending.ask(operator, {
      ...{ kind: 'market-limits', subject: params.symbol, payload: loose, reason },
      ...{ before: limitFigures(names, before.now), after: limitFigures(names, loose) },
    });
    if (asked === undefined) return alreadyPending;
    return { ...success, market: changed, pending: await describe(asked, operator.by.clientId) };
  });

  calls.serve(delistMarket, async ({ identity, http, params, body: { confirm, reason } }) => {
    const market = lookup.resolve(params.symbol);
    if (market !== undefined && confirm === market.symbol) await halts.forget(market.id);
    const cancelled = await markets.delist(actorOf(identity, http, reason), params.symbol, confirm);
    return typeof cancelled === 'number' ? { ...success, cancelled_orders: cancelled } : refusalOf(cancelled);
  });

  calls.serve(announceDelisting, async ({ identity, http, params, body: { delisting, reason } }) => {
    const market = await markets.announceDelisting(actorOf(identity, http, reason), params.symbol, delisting);
    if ('kind' in market) return refusalOf(market);
    return { ...success, market, holders: await delistings.tellHolders(market) };
  });

  calls.serve(setDefaultFees, async ({ identity, http, body }) => {
    const actor = actorOf(identity, http, body.reason);
    const error = await markets.setDefaultFees(actor, body.maker_fee_percent, body.taker_fee_percent);
    return error === undefined ? { ...success, ...markets.fees() } : refusalOf(error);
  });

  calls.serve(haltMarket, async ({ identity, http, body: { symbol, halted, reason }, confirm }) => {
    const market = lookup.resolve(symbol);
    if (market === undefined) return unknownPair(symbol);
    const confirmed = halted ? undefined : await confirm();
    if (confirmed instanceof Refusal) return confirmed;
    await halts.forget(market.id);
    const error = await markets.halt(actorOf(identity, http, reason), market, halted);
    return error === undefined ? { ...success, symbol: market.symbol, halted } : refusalOf(error);
  });
}

export function serveSettling(
  calls: CallServer,
  settling: PerpetualSettling,
  lookup: MarketLookup,
  halts: MaintenanceHalts,
): void {
  calls.serve(previewSettlement, async ({ params, body }) => {
    const effect = await settling.preview(params.symbol, body.price);
    return 'kind' in effect ? refusalOf(effect) : effect;
  });

  calls.serve(settlePerpetual, async ({ identity, http, params, body: { reason, ...settled } }) => {
    const market = lookup.resolve(params.symbol);
    if (market !== undefined && settled.confirm === market.symbol) await halts.forget(market.id);
    const effect = await settling.settle(actorOf(identity, http, reason), params.symbol, settled);
    return 'kind' in effect ? refusalOf(effect) : { ...success, effect };
  });
}

export function servePerpetualAdmin(
  calls: CallServer,
  perpetuals: PerpetualAdmin,
  { pending, describe }: Waiting,
): void {
  calls.serve(previewPerpetualTerms, async ({ params, body }) => {
    const effect = await perpetuals.preview(params.symbol, body);
    return 'kind' in effect ? refusalOf(effect) : effect;
  });

  calls.serve(setFuturesForm, async ({ identity, http, body: { sells_empty, reason } }) => {
    await perpetuals.setSellsEmpty(actorOf(identity, http, reason), sells_empty);
    return { ...success, sells_empty };
  });

  calls.serve(changePerpetualTerms, async ({ identity, authority, http, params, body }) => {
    const { reason, accept_liquidations: liquidations, cancel_orders: cancelling, ...terms } = body;
    const actor = actorOf(identity, http, reason);
    const agreed = { liquidations, cancelling };
    const looser = perpetuals.looser(params.symbol, terms);
    if (looser === undefined) {
      const effect = await perpetuals.change(actor, params.symbol, terms, agreed);
      return 'kind' in effect ? refusalOf(effect) : { ...success, effect, pending: null };
    }
    const effect = await perpetuals.preview(params.symbol, terms);
    if ('kind' in effect) return refusalOf(effect);
    const refused = perpetuals.notAgreed(effect, agreed);
    if (refused !== undefined) return refusalOf(refused);
    const operator = operatorOf(authority, http);
    const asked = await pending.ask(operator, {
      ...{ kind: 'perpetual-terms', subject: params.symbol, payload: { terms, agreed }, reason, ...looser },
    });
    if (asked === undefined) return alreadyPending;
    return { ...success, effect, pending: await describe(asked, operator.by.clientId) };
  });
}
