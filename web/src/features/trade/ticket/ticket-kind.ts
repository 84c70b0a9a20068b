/** What the order form asks of the kind of market that it orders in. */
import type { TriggerSource } from '@cambist/contract/conditional-orders.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { ComponentType } from 'react';
import type { Decimal } from '../../../lib/decimal.ts';
import type { OrderErrors } from './order-errors.ts';
import type { OrderContext } from './order-summary.ts';
import type { OrderRequest } from './order-types.ts';
import type { SummaryLine } from './summary-lines.ts';
import type { PriceType, Side, Ticket } from './ticket.ts';

export interface SideProps {
  readonly side: Side;
  readonly context: OrderContext;
}

export interface OptionsProps extends SideProps {
  readonly errors: OrderErrors;
  /** Of the element that says what is wrong. */
  readonly messageId: string;
}

export interface PreviewProps {
  readonly ticket: Ticket;
  readonly side: Side;
  readonly pair: CoinPair;
  readonly readContext: () => OrderContext;
}

type Of<Result> = (ticket: Ticket, side: Side, context: OrderContext) => Result;

export interface TicketKind {
  /** What amounts are counted in at first. */
  readonly priceType: PriceType;
  /** What triggers its orders at first. */
  readonly triggerBy: TriggerSource;
  readonly useContext: (pair: CoinPair) => () => OrderContext;
  /** How much of the base coin an order is for; undefined while nothing is entered. */
  readonly quantity: Of<Decimal | undefined>;
  /** Why a side takes no orders; undefined where it does. */
  readonly closed?: Of<string | undefined>;
  readonly errors: Of<OrderErrors>;
  /** Why an amount is more than there is, which is stated while it is typed. */
  readonly excess: Of<string | undefined>;
  readonly request: Of<OrderRequest>;
  readonly lines: Of<readonly SummaryLine[]>;
  readonly warning: Of<string | undefined>;
  /** How far the entered amount goes, 0 to 100; for the slider's handle. */
  readonly percent: Of<number>;
  /** The share that the slider asks for, in the unit of the field; undefined while nothing is known of what there is. */
  readonly amount: (ticket: Ticket, side: Side, percent: number, context: OrderContext) => string | undefined;
  /** What the units of the amount are called, where words do not say it. */
  readonly unitLabel?: (unit: PriceType, context: OrderContext) => string;
  readonly sideLabel: (side: Side) => string;
  /** Of the button that sends the order, and of the dialog that asks for its confirmation. */
  readonly title: (side: Side, coin: string, ticket: Pick<Ticket, 'isReduceOnly'>) => string;
  readonly Available: ComponentType<SideProps>;
  readonly Options: ComponentType<OptionsProps>;
  readonly Preview: ComponentType<PreviewProps>;
  /** Under the types of orders, for both sides. */
  readonly Head?: ComponentType<{ readonly pair: CoinPair }>;
}
