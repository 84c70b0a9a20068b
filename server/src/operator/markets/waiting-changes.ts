/** How changes of pairs that loosen a protection are carried out once they may be. */
import type { NewPerpetualTerms } from '@cambist/contract/admin-futures.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import { isPerpetual } from '../../exchange/futures/service.ts';
import type { Change, PendingChanges } from '../../identity/operators/service.ts';
import type { Agreed, PerpetualAdmin } from './perpetual-admin.ts';
import { LIMIT_NAMES, limitFigures, protectionsOf } from './protections.ts';
import type { Actor, MarketAdmin, MarketError } from './service.ts';
import { describeLimits, type LimitsInput } from './terms.ts';

interface ProtectionDeps {
  readonly view: ExchangeView;
  readonly admin: MarketAdmin;
  readonly perpetuals: PerpetualAdmin;
  readonly pending: Pick<PendingChanges, 'define'>;
}

const actorOf = ({ asked_by: actorId, reason }: Change): Actor => ({ actorId, reason, address: '' });
const failureOf = (answer: object): string | undefined =>
  'kind' in answer ? `The exchange refused it: ${(answer as MarketError).kind}.` : undefined;

export function defineProtections({ view, admin, perpetuals, pending }: ProtectionDeps): void {
  const find = (symbol: string): MarketSpec | undefined => {
    const market = view.markets().find((one) => one.symbol === symbol);
    return market === undefined || view.marketState(market.id).delisted ? undefined : market;
  };

  pending.define('market-limits', {
    async current(subject) {
      const market = find(subject);
      return market && limitFigures(LIMIT_NAMES, describeLimits(market));
    },
    async apply(change) {
      const limits = { ...describeLimits(find(change.subject)!), ...(change.payload as Partial<LimitsInput>) };
      return failureOf(await admin.change(actorOf(change), change.subject, limits));
    },
  });

  pending.define('perpetual-terms', {
    async current(subject) {
      const market = find(subject);
      return market !== undefined && isPerpetual(market) ? protectionsOf(market) : undefined;
    },
    async apply(change) {
      const { terms, agreed } = change.payload as { readonly terms: NewPerpetualTerms; readonly agreed: Agreed };
      return failureOf(await perpetuals.change(actorOf(change), change.subject, terms, agreed));
    },
  });
}
