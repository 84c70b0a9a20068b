/**
 * A conversion is an order with a client order id that no client can give: what names it in the command names it after
 * a restart, in pushes and in every list.
 */
import { MAXIMUM_CLIENT_ORDER_ID } from '@cambist/core/orders/client-order-ids.ts';
import { newToken } from '../../platform/random-token.ts';

/** With a character that the contract refuses in a client's own. */
const PREFIX = 'convert:';

export const newConversionName = (): string => `${PREFIX}${newToken()}`.slice(0, MAXIMUM_CLIENT_ORDER_ID);

export const isConversion = (clientOrderId: string | undefined): boolean => clientOrderId?.startsWith(PREFIX) ?? false;
