/** How a coin's own chain is kept: by work, by stake, or neither (tokens of other chains, federations, dollars). */
import type { CoinPair } from '@cambist/contract/markets.ts';

export type Consensus = CoinPair['consensus'];

const WORK = new Set('BTC LTC BCH XMR ETC DOGE'.split(' '));
const STAKE = new Set('ETH BNB SOL ADA TRX DOT POL AVAX NEAR SUI APT ICP HBAR ATOM'.split(' '));

export function consensusOf(coin: string): Consensus {
  if (WORK.has(coin)) return 'pow';
  return STAKE.has(coin) ? 'pos' : null;
}
