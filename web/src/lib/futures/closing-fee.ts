import { feeOf } from '@cambist/core/ledger/fee.ts';
import { useQuery } from '@tanstack/react-query';
import { type Decimal, multiply, rescale } from '../decimal.ts';
import { formatExact } from '../format.ts';
import { settingsQuery } from './positions.ts';
import { ppmOf, USDT_SCALE, usdt } from './terms.ts';

/** What closing so much of a market at a price costs a taker, in words; what rests in the book pays less. */
export function useClosingFee(symbol: string) {
  const percent = useQuery(settingsQuery(symbol)).data?.taker_fee_percent;
  return (quantity: Decimal | undefined, price: Decimal): string => {
    const worth = quantity && rescale(multiply(quantity, price), USDT_SCALE, 'nearest').units;
    const fee = worth === undefined || percent === undefined ? undefined : usdt(feeOf(worth, ppmOf(percent)));
    return fee ? `≈ ${formatExact(fee)} USDT` : '–';
  };
}
