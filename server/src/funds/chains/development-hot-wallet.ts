/** The hot wallets of development: coins that are worth nothing, and a policy that allows any payment of a listed coin. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NetworkName, networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import type { Policy, SignerLink } from '../../signer/service.ts';
import { canonicalAddress, familyOf } from './addresses.ts';
import type { DevelopmentChain } from './development-chain.ts';
import { type CoinNetwork, contractOf } from './network-store.ts';
import { type Chains, NATIVE_COINS } from './service.ts';

/** Of the chain's own coin and of each token. */
const ENDOWMENT = { native: 1_000n, token: 10_000_000n };
const MOST = { payment: 10n ** 9n, day: 10n ** 10n };

/** Whole coins of the chain's own: far above what a payment costs there. */
const FEE_CAPS: Readonly<Record<NetworkName, bigint>> = { ERC20: 1n, BEP20: 1n, BTC: 1n, TRC20: 100n };

/** Of transactions that nodes take. */
const FORMATS = { ERC20: 'evm', BEP20: 'evm', BTC: 'bitcoin', TRC20: 'tron' } as const;

const coinsOf = (network: NetworkName, coins: readonly CoinNetwork[]) =>
  coins.filter((one) => one.network === network).map((one) => ({ contract: contractOf(one), scale: one.chain_scale }));

const coldAddresses = z.partialRecord(networkName, z.string().min(1).max(100));
export type ColdAddresses = z.output<typeof coldAddresses>;

/** The cold wallets that development is given, as a policy file gives them to a signer of its own; none without the file. */
export function readColdAddresses(dataDirectory: string): ColdAddresses {
  const path = join(dataDirectory, 'development-cold.json');
  return existsSync(path) ? coldAddresses.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
}

/** What a hot wallet begins with; nothing where it has begun. */
export async function endowHotWallets(
  chains: Iterable<DevelopmentChain>,
  signer: SignerLink,
  coins: readonly CoinNetwork[],
): Promise<void> {
  for (const chain of chains) {
    const { network } = chain;
    const address = canonicalAddress(familyOf(network), await signer.hotAddress(network));
    const tokens = coinsOf(network, coins).filter(({ contract }) => contract !== null);
    chain.endow(address, [
      { contract: null, units: ENDOWMENT.native * 10n ** BigInt(NATIVE_COINS[network].scale) },
      ...tokens.map(({ contract, scale }) => ({ contract, units: ENDOWMENT.token * 10n ** BigInt(scale) })),
    ]);
  }
}

/** With the chain's own coin also where it is not listed: tokens are swept once their address has gas. */
function allowedOn(network: NetworkName, coins: readonly CoinNetwork[]) {
  const tokens = coinsOf(network, coins).filter(({ contract }) => contract !== null);
  return [{ contract: null, scale: NATIVE_COINS[network].scale }, ...tokens];
}

/** Of the signer in the process. */
export async function developmentPolicy(
  chains: Chains,
  coins: readonly CoinNetwork[],
  coldAddresses: ColdAddresses,
): Promise<Policy> {
  const networks: Policy['networks'] = {};
  for (const [network, { sender, isDevelopment }] of chains) {
    const chainId = await sender?.chainId();
    networks[network] = {
      format: isDevelopment ? 'development' : FORMATS[network],
      chain_id: chainId,
      fee_cap: FEE_CAPS[network] * 10n ** BigInt(NATIVE_COINS[network].scale),
      most_fees_per_day: MOST.day * 10n ** BigInt(NATIVE_COINS[network].scale),
      coins: allowedOn(network, coins).map(({ contract, scale }) => ({
        contract,
        most_per_payment: MOST.payment * 10n ** BigInt(scale),
        most_per_day: MOST.day * 10n ** BigInt(scale),
      })),
      cold_address: coldAddresses[network] && canonicalAddress(familyOf(network), coldAddresses[network]),
    };
  }
  return { networks };
}
