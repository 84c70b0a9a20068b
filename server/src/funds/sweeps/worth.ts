/** From which amount on sweeping a coin is worth what it costs. Pure. */
import type { Asset } from '@cambist/core/money/market.ts';
import { type CoinNetwork, NATIVE_COINS, unitsOf } from '../chains/service.ts';

export interface WorthDeps {
  readonly assetByCode: (code: string) => Asset | undefined;
  /** In USDT, smallest units of the ledger; undefined without a price. */
  readonly worthOf: (asset: number, units: bigint) => bigint | undefined;
}

const divCeil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** What an amount of the chain's own coin is in a token, in smallest units of the chain; undefined without both prices. */
function inToken(
  { network, coin, chain_scale: scale }: CoinNetwork,
  cost: bigint,
  deps: WorthDeps,
): bigint | undefined {
  const native = NATIVE_COINS[network];
  const [paid, token] = [deps.assetByCode(native.coin), deps.assetByCode(coin)];
  if (paid === undefined || token === undefined) return undefined;
  // Of a whole coin each: a cost alone may be less than the smallest unit of the quote.
  const [dear, cheap] = [paid, token].map((asset) => deps.worthOf(asset.id, 10n ** BigInt(asset.scale)));
  if (dear === undefined || cheap === undefined || cheap === 0n) return undefined;
  return divCeil(cost * dear * 10n ** BigInt(scale), cheap * 10n ** BigInt(native.scale));
}

/**
 * @param cost smallest units of the chain's own coin
 * @returns smallest units of the chain, rounded up; undefined where nothing says what the cost is in this coin
 */
export function leastUnits(way: CoinNetwork, cost: bigint, multiple: number, deps: WorthDeps): bigint | undefined {
  if (way.contract === null) return cost * BigInt(multiple);
  // Without a price, what a withdrawal of the coin costs its client says what a payment is worth.
  const fee = way.withdraw_fee === null ? undefined : unitsOf(way.withdraw_fee, way.chain_scale);
  const inCoin = inToken(way, cost, deps) ?? (fee === 0n ? undefined : fee);
  return inCoin === undefined ? undefined : inCoin * BigInt(multiple);
}
