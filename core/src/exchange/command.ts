/** Everything that can change the exchange. Commands are immutable. */
import type { InstrumentCommand } from '../instruments/commands.ts';
import type { TransferCommand } from '../ledger/transfer.ts';
import type { MarginCommand } from '../margin/commands.ts';
import type {
  AmendOrder,
  CancelAllOrders,
  CancelOrder,
  ClosePosition,
  PlaceOrder,
  StopOrders,
} from '../orders/commands.ts';
import type {
  AmendConditionalOrder,
  PlaceConditionalOrder,
  SetMarkPrice,
} from '../orders/conditional/conditional-order.ts';
import type { PlaceTwap, RunTwaps } from '../orders/twap/twap.ts';

export type Command =
  | PlaceOrder
  | ClosePosition
  | StopOrders
  | CancelOrder
  | CancelAllOrders
  | AmendOrder
  | PlaceConditionalOrder
  | AmendConditionalOrder
  | SetMarkPrice
  | PlaceTwap
  | RunTwaps
  | InstrumentCommand
  | MarginCommand
  | TransferCommand;
