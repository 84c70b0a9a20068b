/**
 * Delistings that were announced: tells holders, and ends each market at its time. A spot market is halted, cleared and delisted; the
 * positions of a perpetual are settled at the mark as well. Where the insurance would have to pay, the perpetual stays halted for an
 * operator, who settles it at a price and agrees to what that costs.
 */
import { HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import type { Logger } from 'pino';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import type { Notice, Notifications } from '../../people/notifications/service.ts';
import { say } from '../../platform/texts.ts';
import type { MaintenanceHalts } from './maintenance-halts.ts';
import { openIn } from './open-positions.ts';
import type { PerpetualSettling } from './perpetual-settlement.ts';
import type { AdminMarket, MarketAdmin, MarketError } from './service.ts';

export interface DelistingDeps {
  readonly view: ExchangeView;
  readonly admin: Pick<MarketAdmin, 'submit' | 'delist' | 'endOrders'>;
  readonly settling: Pick<PerpetualSettling, 'settle'>;
  readonly halts: Pick<MaintenanceHalts, 'forget'>;
  /** Clients with a balance of an asset, in any wallet. */
  readonly holdersOf: (asset: number) => Promise<readonly number[]>;
  readonly notifications: Pick<Notifications, 'tell'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** The exchange itself. */
const EXCHANGE = { actorId: undefined, reason: '', address: '' };

/** `2026-12-31 08:00 UTC` */
const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function noticeOf({ symbol, coin, delisting }: AdminMarket, isPerpetual: boolean): Notice {
  const pair = { pair: symbol };
  const facts = { type: isPerpetual ? ('futures' as const) : ('orders' as const) };
  if (delisting === null) {
    const title = say('{{pair}} stays listed', pair);
    return { ...facts, title, body: say('The delisting was withdrawn. Orders are accepted as before.') };
  }
  const title = say('{{pair}} will be delisted', pair);
  const times = { coin, closeOnly: timeText(delisting.close_only_at), end: timeText(delisting.ends_at) };
  const body = isPerpetual
    ? say(
        'From {{closeOnly}} you can only reduce or close your position. On {{end}} open orders are cancelled and open positions are settled at the mark price.',
        times,
      )
    : say(
        'From {{closeOnly}} you can only sell {{coin}}. On {{end}} open orders are cancelled and trading ends. Your {{coin}} stays in your wallet.',
        times,
      );
  return { ...facts, title, body };
}

export class Delistings {
  readonly #deps: DelistingDeps;
  /** Ids of markets that could not be ended: an operator has to. */
  readonly #left = new Set<number>();

  constructor(deps: DelistingDeps) {
    this.#deps = deps;
  }

  /** @returns how many were told */
  async tellHolders(market: AdminMarket): Promise<number> {
    const { view, holdersOf, notifications } = this.#deps;
    const spec = view.markets().find(({ symbol }) => symbol === market.symbol)!;
    const isPerpetual = spec.perpetual !== undefined;
    const owners = isPerpetual ? openIn(view, spec.id).map(({ owner }) => owner) : await holdersOf(spec.base.id);
    const clients = [...new Set(owners)].filter((owner) => owner > HOUSE_TAKER);
    const notice = noticeOf(market, isPerpetual);
    for (const client of clients) await notifications.tell(client, notice);
    return clients.length;
  }

  /** A job: ends what is due. */
  async run(): Promise<void> {
    const { view, clock } = this.#deps;
    for (const spec of view.markets()) {
      const { delisted, delisting } = view.marketState(spec.id);
      const isDue = delisting !== undefined && delisting.endsAt <= clock.now();
      if (!isDue || delisted || this.#left.has(spec.id)) continue;
      const error = await this.#end(spec);
      if (error === undefined) continue;
      this.#left.add(spec.id);
      this.#deps.logger.error({ market: spec.symbol, error }, 'the market could not be delisted at its time');
    }
  }

  async #end(spec: MarketSpec): Promise<MarketError | undefined> {
    const { admin, halts } = this.#deps;
    await halts.forget(spec.id);
    if (spec.perpetual === undefined) {
      const cancelled = await admin.delist(EXCHANGE, spec.symbol, spec.symbol);
      return typeof cancelled === 'number' ? undefined : cancelled;
    }
    const halted = await admin.submit({ kind: 'halt-market', market: spec.id, halted: true });
    if (halted !== undefined) return halted;
    const cancelled = await admin.endOrders(spec.id);
    return typeof cancelled === 'number' ? this.#settle(spec) : cancelled;
  }

  async #settle(spec: MarketSpec): Promise<MarketError | undefined> {
    const { view, admin, settling } = this.#deps;
    const { markPrice, lastPrice } = view.marketState(spec.id);
    // Nothing was ever opened where there was no price.
    if (markPrice === 0 && lastPrice === 0) return admin.submit({ kind: 'delist-market', market: spec.id });
    const terms = { price: formatTicks(markPrice || lastPrice, spec), confirm: spec.symbol, accept_insurance: '0' };
    const settled = await settling.settle(EXCHANGE, spec.symbol, terms);
    return 'kind' in settled ? settled : undefined;
  }
}
