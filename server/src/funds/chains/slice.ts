/** The chains of this process as a slice: nodes by configuration, and in development a chain of its own for the rest. */
import { type NetworkName, networkName } from '@cambist/contract/deposits.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { isExtendedPublicKey } from './addresses.ts';
import { DevelopmentChain } from './development-chain.ts';
import { serveDevelopmentChains } from './development-routes.ts';
import { createDevelopmentSigner } from './development-signer.ts';
import { EvmChain, requestByHttp } from './evm-chain.ts';
import { createNetworkStore, type NetworkStore } from './network-store.ts';
import type { Chain, Chains, Keys } from './service.ts';
import { serveWeb3 } from './web3-routes.ts';

/** A newest block that is older says that the node is behind: some twenty-five blocks of each network. */
const STALE_MS = { ERC20: 5 * 60_000, BEP20: 60_000 } as const;

export interface ChainsSlice extends Slice {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly keys: Keys;
  /** The chains that this process makes, for tests. */
  readonly developmentChains: ReadonlyMap<NetworkName, DevelopmentChain>;
}

/** One for each network that has no node, and none in production. */
function developmentChainsOf({ config, clock }: Platform, nodes: Chains): ReadonlyMap<NetworkName, DevelopmentChain> {
  const without = config.isProduction ? [] : networkName.options.filter((network) => !nodes.has(network));
  return new Map(without.map((network) => [network, new DevelopmentChain(network, config.DATA_DIR, clock)] as const));
}

/** Nodes by configuration. */
function nodesOf({ config, logger }: Platform): Map<NetworkName, Chain> {
  const urls = { ERC20: config.ERC20_RPC_URL, BEP20: config.BEP20_RPC_URL };
  const nodes = new Map<NetworkName, Chain>();
  for (const network of ['ERC20', 'BEP20'] as const) {
    const url = urls[network];
    if (url === undefined) continue;
    const onWithoutTraces = () =>
      logger.warn({ network }, 'The node offers no traces: coins that contracts send to clients are not found');
    const parts = { request: requestByHttp(url), staleAfterMs: STALE_MS[network], onWithoutTraces };
    nodes.set(network, new EvmChain(network, parts));
  }
  return nodes;
}

/** Keys by configuration, and in development those of its own signer for the rest. */
function keysOf({ config, encryption }: Platform): Keys {
  const xpubs = { EVM: config.DEPOSIT_XPUB_EVM, BTC: config.DEPOSIT_XPUB_BTC, TRON: config.DEPOSIT_XPUB_TRON };
  for (const [family, xpub] of Object.entries(xpubs)) {
    if (xpub !== undefined && !isExtendedPublicKey(xpub)) throw new Error(`DEPOSIT_XPUB_${family} cannot be read`);
  }
  const signer = config.isProduction ? undefined : createDevelopmentSigner(config.DATA_DIR, encryption);
  return {
    xpubOf: (family) => xpubs[family] ?? signer?.xpub(family),
    signedAddress: (family, index) => (xpubs[family] === undefined ? signer?.address(family, index) : undefined),
  };
}

export function createChainsSlice(platform: Platform): ChainsSlice {
  const { config, database } = platform;
  const nodes = nodesOf(platform);
  const developmentChains = developmentChainsOf(platform, nodes);
  const chains = new Map<NetworkName, Chain>([...developmentChains, ...nodes]);
  const networks = createNetworkStore(database);
  const mineMs = config.DEVELOPMENT_BLOCK_SECONDS * 1000;
  const mine = async () => {
    for (const chain of developmentChains.values()) if (chain.isBusy) chain.mine(1);
  };
  return {
    chains,
    networks,
    keys: keysOf(platform),
    developmentChains,
    routes(calls) {
      serveDevelopmentChains(calls, { chains: developmentChains, networks });
      serveWeb3(calls, { chains, networks, clock: platform.clock });
    },
    jobs: mineMs > 0 ? [{ name: 'blocks of development', everyMs: mineMs, run: mine }] : [],
  };
}
