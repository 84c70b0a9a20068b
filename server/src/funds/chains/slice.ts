/** The chains of this process as a slice: nodes by configuration, and in development a chain of its own for the rest. */
import { type NetworkName, networkName } from '@cambist/contract/deposits.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Family } from './addresses.ts';
import { DevelopmentChain } from './development-chain.ts';
import { serveDevelopmentChains } from './development-routes.ts';
import { createDevelopmentSigner, type DevelopmentSigner } from './development-signer.ts';
import { createNetworkStore, type NetworkStore } from './network-store.ts';
import type { Chain, Chains } from './service.ts';

export interface ChainsSlice extends Slice {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  /** Undefined in production, where keys are elsewhere. */
  readonly developmentSigner: DevelopmentSigner | undefined;
  /** The extended public key of a family; undefined where there is none. */
  readonly xpubOf: (family: Family) => string | undefined;
  /** The chains that this process makes, for tests. */
  readonly developmentChains: ReadonlyMap<NetworkName, DevelopmentChain>;
}

function developmentChainsOf({ config, clock }: Platform): ReadonlyMap<NetworkName, DevelopmentChain> {
  if (config.isProduction) return new Map();
  return new Map(
    networkName.options.map((network) => [network, new DevelopmentChain(network, config.DATA_DIR, clock)] as const),
  );
}

export function createChainsSlice(platform: Platform): ChainsSlice {
  const { config, database, encryption } = platform;
  const developmentChains = developmentChainsOf(platform);
  const chains = new Map<NetworkName, Chain>(developmentChains);
  const networks = createNetworkStore(database);
  const signer = config.isProduction ? undefined : createDevelopmentSigner(config.DATA_DIR, encryption);
  const mineMs = config.DEVELOPMENT_BLOCK_SECONDS * 1000;
  const mine = async () => {
    for (const chain of developmentChains.values()) if (chain.isBusy) chain.mine(1);
  };
  return {
    chains,
    networks,
    developmentSigner: signer,
    xpubOf: (family) => signer?.xpub(family),
    developmentChains,
    routes: (calls) => serveDevelopmentChains(calls, { chains: developmentChains, networks }),
    jobs: mineMs > 0 ? [{ name: 'blocks of development', everyMs: mineMs, run: mine }] : [],
  };
}
