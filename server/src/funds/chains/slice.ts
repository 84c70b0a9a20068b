/** The chains of this process as a slice: nodes by configuration, and in development a chain of its own for the rest. */
import { type NetworkName, networkName } from '@cambist/contract/deposits.ts';
import { ConfigError } from '../../config.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { connectSigner } from '../../signer/client.ts';
import { SignerAway, type SignerLink, signerInProcess } from '../../signer/service.ts';
import { isExtendedPublicKey } from './addresses.ts';
import { BitcoinChain } from './bitcoin-chain.ts';
import { BitcoinNode } from './bitcoin-node.ts';
import { DevelopmentChain } from './development-chain.ts';
import { developmentPolicy, endowHotWallets, readColdAddresses } from './development-hot-wallet.ts';
import { serveDevelopmentChains } from './development-routes.ts';
import { readDevelopmentSeed } from './development-seed.ts';
import { EvmChain } from './evm-chain.ts';
import { requestByHttp } from './evm-node.ts';
import { createNetworkStore, type NetworkStore } from './network-store.ts';
import { PairedChain } from './paired-chain.ts';
import type { Chain, Chains, Keys } from './service.ts';
import { TronChain } from './tron-chain.ts';
import { TronNode, tronByHttp } from './tron-node.ts';
import { serveWeb3 } from './web3-routes.ts';

/** A newest block that is older says that the node is behind: some twenty-five blocks of each network. */
const STALE_MS = { ERC20: 5 * 60_000, BEP20: 60_000 } as const;

export interface ChainsSlice extends Slice {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly keys: Keys;
  /** Signs payments; undefined where there is none. */
  readonly signer: SignerLink | undefined;
  /** The chains that this process makes, for tests. */
  readonly developmentChains: ReadonlyMap<NetworkName, DevelopmentChain>;
}

/** One for each network that has no node, and none in production. */
function developmentChainsOf({ config, clock }: Platform, nodes: Chains): ReadonlyMap<NetworkName, DevelopmentChain> {
  const without = config.isProduction ? [] : networkName.options.filter((network) => !nodes.has(network));
  return new Map(without.map((network) => [network, new DevelopmentChain(network, config.DATA_DIR, clock)] as const));
}

/** An Ethereum-like network by the node at an address. */
function evmChain(network: keyof typeof STALE_MS, url: string | undefined, { logger }: Platform): Chain | undefined {
  if (url === undefined) return undefined;
  const onWithoutTraces = () =>
    logger.warn({ network }, 'The node offers no traces: coins that contracts send to clients are not found');
  return new EvmChain(network, { staleAfterMs: STALE_MS[network], onWithoutTraces, request: requestByHttp(url) });
}

/** Which of the settings of a network's nodes. */
type Which = '' | '_2';

function bitcoinChain({ config }: Platform, which: Which): Chain | undefined {
  const [url, cookieFile] = [config[`BTC_RPC_URL${which}`], config[`BTC_RPC_COOKIE_FILE${which}`]];
  if (url === undefined) return undefined;
  return new BitcoinChain(new BitcoinNode({ url, cookieFile, network: config.BTC_NETWORK }));
}

function tronChain({ config }: Platform, which: Which): Chain | undefined {
  const full = config[`TRC20_RPC_URL${which}`];
  if (full === undefined) return undefined;
  const solid = config[`TRC20_SOLIDITY_URL${which}`] ?? full;
  return new TronChain(new TronNode(tronByHttp({ full, solid }, config[`TRC20_API_KEY${which}`])));
}

/** Nodes by configuration: one of a network, or two that are asked as one. */
function nodesOf(platform: Platform): ReadonlyMap<NetworkName, Chain> {
  const { config, clock, logger } = platform;
  const nodeOf: Readonly<Record<NetworkName, (which: Which) => Chain | undefined>> = {
    ERC20: (which) => evmChain('ERC20', config[`ERC20_RPC_URL${which}`], platform),
    BEP20: (which) => evmChain('BEP20', config[`BEP20_RPC_URL${which}`], platform),
    BTC: (which) => bitcoinChain(platform, which),
    TRC20: (which) => tronChain(platform, which),
  };
  const nodes = new Map<NetworkName, Chain>();
  for (const network of networkName.options) {
    const [first, second] = [nodeOf[network](''), nodeOf[network]('_2')];
    if (first !== undefined)
      nodes.set(network, second === undefined ? first : new PairedChain({ first, second, clock, logger }));
  }
  return nodes;
}

/** Undefined while the signer cannot be asked. */
async function orUndefined(asked: Promise<string>): Promise<string | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof SignerAway) return undefined;
    throw error;
  });
}

/** Keys by configuration, and those of the signer for the rest. */
function keysOf({ config }: Platform, signer: SignerLink | undefined): Keys {
  const xpubs = { EVM: config.DEPOSIT_XPUB_EVM, BTC: config.DEPOSIT_XPUB_BTC, TRON: config.DEPOSIT_XPUB_TRON };
  for (const [family, xpub] of Object.entries(xpubs)) {
    if (xpub !== undefined && !isExtendedPublicKey(xpub))
      throw new ConfigError(
        `DEPOSIT_XPUB_${family}: its checksum is wrong. Copy the key again, to its last character.`,
      );
  }
  return {
    bitcoin: config.BTC_NETWORK,
    xpubOf: async (family) => xpubs[family] ?? (signer && orUndefined(signer.xpub(family))),
    async signedAddress(family, index) {
      // Keys that were given and are not those of development cannot be compared with them.
      if (signer === undefined || (signer.isInProcess && xpubs[family] !== undefined)) return undefined;
      return orUndefined(signer.address(family, index));
    },
  };
}

/** The signer's process by configuration; in development without one it is in this process, and allows every listed coin. */
function signerOf(platform: Platform, chains: Chains, networks: NetworkStore): SignerLink | undefined {
  const { config, clock, encryption, logger } = platform;
  const { SIGNER_CONNECT: at, SIGNER_SERVER_KEY_FILE: keyFile, SIGNER_PUBLIC_KEY_FILE: signerKeyFile } = config;
  if (at !== undefined && keyFile !== undefined && signerKeyFile !== undefined) {
    try {
      return connectSigner({ at, keyFile, signerKeyFile, clock, logger });
    } catch (error) {
      throw new ConfigError(`SIGNER_SERVER_KEY_FILE, SIGNER_PUBLIC_KEY_FILE: ${(error as Error).message}`);
    }
  }
  if (config.isProduction) return undefined;
  logger.info('The signer runs in this process: whoever has the server has its keys. Production needs its own process');
  const policy = async () => developmentPolicy(chains, await networks.all(), readColdAddresses(config.DATA_DIR));
  const seed = readDevelopmentSeed(config.DATA_DIR, encryption);
  return signerInProcess(config.DATA_DIR, { seed, policy, clock, bitcoin: config.BTC_NETWORK });
}

export function createChainsSlice(platform: Platform): ChainsSlice {
  const { config, database } = platform;
  const nodes = nodesOf(platform);
  const developmentChains = developmentChainsOf(platform, nodes);
  const chains = new Map<NetworkName, Chain>([...developmentChains, ...nodes]);
  const networks = createNetworkStore(database);
  const signer = signerOf(platform, chains, networks);
  const mineMs = config.DEVELOPMENT_BLOCK_SECONDS * 1000;
  const mine = async () => {
    for (const chain of developmentChains.values()) if (chain.isBusy) chain.mine(1);
  };
  return {
    chains,
    networks,
    signer,
    keys: keysOf(platform, signer),
    developmentChains,
    async prepare() {
      if (signer !== undefined && (await orUndefined(signer.hotAddress('ERC20'))) !== undefined)
        await endowHotWallets(developmentChains.values(), signer, await networks.all());
    },
    routes(calls) {
      serveDevelopmentChains(calls, { chains: developmentChains, networks });
      serveWeb3(calls, { chains, networks, clock: platform.clock });
    },
    jobs: mineMs > 0 ? [{ name: 'blocks of development', everyMs: mineMs, run: mine }] : [],
  };
}
