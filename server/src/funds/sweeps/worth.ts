/** From which amount on sweeping a coin is worth what it costs. Pure. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { type CoinNetwork, NATIVE_COINS, unitsOf } from '../chains/service.ts';
import type { SweepPolicy } from './service.ts';

const QUOTE = 'USDT';

export interface WorthDeps {
  readonly assetByCode: (code: string) => Asset | undefined;
  /** In USDT, smallest units of the ledger; undefined without a price. */
  readonly worthOf: (asset: number, units: bigint) => bigint | undefined;
}

const divCeil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Of a whole coin by the last price; undefined where no market has one. */
function marketPrice(coin: string, { assetByCode, worthOf }: WorthDeps): bigint | undefined {
  const asset = assetByCode(coin);
  // A cost alone may be less than the smallest unit of the quote.
  return (asset && worthOf(asset.id, 10n ** BigInt(asset.scale))) || undefined;
}

/** Whether a market says what the chain's own coin is worth. */
export const hasMarket = (network: NetworkName, deps: WorthDeps): boolean =>
  marketPrice(NATIVE_COINS[network].coin, deps) !== undefined;

/**
 * What an amount of the chain's own coin is in a token, in smallest units of the chain; undefined without both prices.
 * @param said what the chain's own coin is worth, where no market says it
 */
function inToken(
  { network, coin, chain_scale: scale }: CoinNetwork,
  cost: bigint,
  said: string | null,
  deps: WorthDeps,
): bigint | undefined {
  const native = NATIVE_COINS[network];
  const quote = deps.assetByCode(QUOTE);
  const known = said === null || quote === undefined ? undefined : unitsOf(said, quote.scale);
  const [dear, cheap] = [marketPrice(native.coin, deps) ?? known, marketPrice(coin, deps)];
  if (dear === undefined || cheap === undefined) return undefined;
  return divCeil(cost * dear * 10n ** BigInt(scale), cheap * 10n ** BigInt(native.scale));
}

/**
 * @param cost smallest units of the chain's own coin
 * @returns smallest units of the chain, rounded up; undefined where nothing says what the cost is in this coin
 */
export function leastUnits(
  way: CoinNetwork,
  cost: bigint,
  { least_multiple: multiple, coin_price: said }: Pick<SweepPolicy, 'least_multiple' | 'coin_price'>,
  deps: WorthDeps,
): bigint | undefined {
  if (way.contract === null) return cost * BigInt(multiple);
  // Without a price, what a withdrawal of the coin costs its client says what a payment is worth.
  const fee = way.withdraw_fee === null ? undefined : unitsOf(way.withdraw_fee, way.chain_scale);
  const inCoin = inToken(way, cost, said, deps) ?? (fee === 0n ? undefined : fee);
  return inCoin === undefined ? undefined : inCoin * BigInt(multiple);
}
