/** What a client who owes the exchange a reversed deposit may still do: whatever closes, cancels, or brings in what is owed. */
import { namedLeg } from '@cambist/core/events/event-record.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { BUY, type PositionSide, type Side } from '@cambist/core/terms/order-terms.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { ExchangeView, Submission } from '../engine/feed.ts';

export interface Debtors {
  /** Assets that a client owes, known in the step in which a command is queued. */
  owedBy(owner: number): ReadonlySet<number>;
  /** Says what is owed and in which coins; undefined where nothing is. */
  refusalOf(owner: number): Refusal | undefined;
}

interface Reducing {
  readonly side: Side;
  readonly reduceOnly?: boolean | undefined;
  readonly positionSide?: PositionSide | undefined;
}

/** In hedge mode a sell of the long position and a buy of the short one only reduce, whether they say so or not. */
function reduces({ side, reduceOnly, positionSide }: Reducing): boolean {
  const leg = namedLeg(positionSide);
  return reduceOnly === true || (leg !== 0 && (side === BUY) !== leg > 0);
}

/** A spot order that is paid in a coin that is owed, and spends none. */
function bringsIn({ base, quote }: MarketSpec, side: Side, owed: ReadonlySet<number>): boolean {
  const [paid, spent] = side === BUY ? [base, quote] : [quote, base];
  return owed.has(paid.id) && !owed.has(spent.id);
}

export interface WaitingDeps {
  readonly exchange: Pick<ExchangeView, 'openOrder' | 'untriggeredOrder'>;
  readonly marketOf: (id: number) => MarketSpec;
}

/** Whether a command of a debtor waits until the debt is paid. */
export function waitsForDebt(command: Submission, owed: ReadonlySet<number>, deps: WaitingDeps): boolean {
  const { exchange, marketOf } = deps;
  switch (command.kind) {
    case 'cancel-order':
    case 'cancel-all-orders':
    case 'stop-orders':
      return false;
    case 'close-position':
      return command.reverses;
    case 'place-order': {
      const market = marketOf(command.market);
      return market.perpetual === undefined ? !bringsIn(market, command.side, owed) : !reduces(command);
    }
    case 'place-conditional-order':
    case 'place-twap':
      return marketOf(command.market).perpetual === undefined || !reduces(command);
    case 'amend-order':
      return exchange.openOrder(command.orderId)?.reduceOnly !== true;
    case 'amend-conditional-order':
      return exchange.untriggeredOrder(command.orderId)?.reduceOnly !== true;
    case 'adjust-margin':
      return command.amount > 0n;
    default:
      return true;
  }
}
