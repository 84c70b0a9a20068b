/**
 * What is publicly known about the coins: supplies as of the end of 2025, rounded, and prices in US dollars. Null or
 * absent where nothing certain is known. Market value, dominance and rank are computed, never written here.
 */
export interface Profile {
  readonly circulating: number | null;
  readonly total: number | null;
  readonly maximum: number | null;
  /** Day of the first block, sale or launch. */
  readonly issued: string | null;
  readonly allTimeHigh: string | null;
  readonly allTimeLow: string | null;
  readonly intro: string;
}

type Supplies = readonly [circulating: number | null, total: number | null, maximum: number | null];
type Extremes = readonly [high: string | null, low: string | null];

const coin = (
  [circulating, total, maximum]: Supplies,
  issued: string | null,
  [allTimeHigh, allTimeLow]: Extremes,
  intro: string,
): Profile => ({ circulating, total, maximum, issued, allTimeHigh, allTimeLow, intro });

export const profiles: Readonly<Record<string, Profile>> = {
  BTC: coin(
    [19_950_000, 19_950_000, 21_000_000],
    '2009-01-03',
    ['126198', '0.0486'],
    'Bitcoin is the first decentralised digital currency; its proof-of-work chain has run since 2009.',
  ),
  ETH: coin(
    [120_700_000, 120_700_000, null],
    '2015-07-30',
    ['4953.73', '0.4209'],
    'Ether pays for computation on Ethereum, the proof-of-stake chain that most tokens and contracts live on.',
  ),
  BNB: coin(
    [137_700_000, 137_700_000, 200_000_000],
    '2017-07-08',
    [null, '0.0961'],
    'BNB pays for transactions on BNB Chain; part of its supply is burned every quarter.',
  ),
  SOL: coin(
    [559_000_000, 614_000_000, null],
    '2020-03-16',
    ['293.31', '0.5008'],
    'SOL pays fees and secures Solana, a proof-of-stake chain built for many small, fast transactions.',
  ),
  XRP: coin(
    [60_300_000_000, 99_985_000_000, 100_000_000_000],
    '2012-06-02',
    ['3.84', '0.002802'],
    'XRP is the native coin of the XRP Ledger, made for payments that settle in a few seconds.',
  ),
  ADA: coin(
    [35_900_000_000, 45_000_000_000, 45_000_000_000],
    '2017-09-23',
    ['3.10', '0.01735'],
    'ADA is the coin of Cardano, a proof-of-stake chain developed from peer-reviewed research.',
  ),
  TRX: coin(
    [94_700_000_000, 94_700_000_000, null],
    '2017-08-28',
    ['0.4313', '0.00109'],
    'TRX pays for bandwidth and energy on TRON, a chain used widely for stablecoin transfers.',
  ),
  LTC: coin(
    [76_600_000, 76_600_000, 84_000_000],
    '2011-10-07',
    ['412.96', '1.11'],
    'Litecoin is an early proof-of-work currency with blocks every two and a half minutes.',
  ),
  BCH: coin(
    [19_960_000, 19_960_000, 21_000_000],
    '2017-08-01',
    ['4355.62', '75.08'],
    'Bitcoin Cash split from Bitcoin in 2017 to keep fees low with larger blocks.',
  ),
  XLM: coin(
    [32_300_000_000, 50_000_000_000, 50_000_000_000],
    '2014-07-31',
    ['0.9381', '0.001227'],
    'Lumens pay the small fees of Stellar, a network for payments and issued assets.',
  ),
  DOT: coin(
    [1_640_000_000, 1_640_000_000, 2_100_000_000],
    '2020-05-26',
    ['55.00', null],
    'DOT secures Polkadot, a relay chain that connects and protects many specialised chains.',
  ),
  XMR: coin(
    [18_450_000, 18_450_000, null],
    '2014-04-18',
    [null, '0.213'],
    'Monero is a proof-of-work currency that hides sender, receiver and amount by default.',
  ),
  ETC: coin(
    [154_000_000, 154_000_000, 210_700_000],
    '2016-07-20',
    ['176.16', '0.4524'],
    'Ethereum Classic continues the original Ethereum chain with proof of work.',
  ),
  LINK: coin(
    [697_000_000, 1_000_000_000, 1_000_000_000],
    '2017-09-19',
    ['52.88', '0.1263'],
    'LINK pays the operators of Chainlink, who bring outside data to contracts on many chains.',
  ),
  UNI: coin(
    [630_000_000, 1_000_000_000, 1_000_000_000],
    '2020-09-17',
    ['44.97', '0.419'],
    'UNI governs Uniswap, an automated market maker on Ethereum.',
  ),
  AAVE: coin(
    [15_200_000, 16_000_000, 16_000_000],
    '2020-10-02',
    ['666.86', null],
    'AAVE governs and backs Aave, a protocol for lending and borrowing against collateral.',
  ),
  LDO: coin(
    [895_000_000, 1_000_000_000, 1_000_000_000],
    '2021-01-05',
    [null, null],
    'LDO governs Lido, which issues a tradable token for staked ether.',
  ),
  ARB: coin(
    [5_600_000_000, 10_000_000_000, null],
    '2023-03-23',
    ['2.40', null],
    'ARB governs Arbitrum, an optimistic rollup that settles on Ethereum.',
  ),
  OP: coin(
    [1_900_000_000, 4_294_967_296, null],
    '2022-05-31',
    ['4.85', null],
    'OP governs Optimism, an optimistic rollup whose software several chains share.',
  ),
  POL: coin(
    [10_500_000_000, 10_500_000_000, null],
    '2024-09-04',
    [null, null],
    'POL is the staking and fee token of the Polygon chains; it succeeded MATIC.',
  ),
  CRV: coin(
    [1_440_000_000, 2_300_000_000, 3_030_303_031],
    '2020-08-13',
    [null, '0.1803'],
    'CRV governs Curve, a market maker for coins of nearly equal value.',
  ),
  COMP: coin(
    [9_600_000, 10_000_000, 10_000_000],
    '2020-06-15',
    [null, null],
    'COMP governs Compound, one of the first lending protocols on Ethereum.',
  ),
  GRT: coin(
    [10_600_000_000, 10_800_000_000, null],
    '2020-12-17',
    ['2.88', null],
    'GRT pays for and secures The Graph, which indexes chains so that applications can query them.',
  ),
  ENS: coin(
    [null, 100_000_000, 100_000_000],
    '2021-11-08',
    [null, null],
    'ENS governs the Ethereum Name Service, which turns readable names into addresses.',
  ),
  DOGE: coin(
    [152_000_000_000, 152_000_000_000, null],
    '2013-12-06',
    ['0.7376', '0.0000855'],
    'Dogecoin began as a joke in 2013; five billion new coins come each year.',
  ),
  SHIB: coin(
    [589_000_000_000_000, 589_000_000_000_000, null],
    '2020-08-01',
    ['0.00008845', null],
    'Shiba Inu is a community token on Ethereum with a very large supply.',
  ),
  AVAX: coin(
    [428_000_000, 460_000_000, 720_000_000],
    '2020-09-21',
    ['146.22', '2.79'],
    'AVAX pays fees and secures Avalanche, a network of chains with fast finality.',
  ),
  NEAR: coin(
    [1_280_000_000, 1_280_000_000, null],
    '2020-04-22',
    ['20.42', '0.526'],
    'NEAR is the coin of NEAR Protocol, a sharded proof-of-stake chain with readable account names.',
  ),
  SUI: coin(
    [3_700_000_000, 10_000_000_000, 10_000_000_000],
    '2023-05-03',
    ['5.35', '0.3643'],
    'SUI pays fees and secures Sui, a chain that treats assets as objects of the Move language.',
  ),
  APT: coin(
    [740_000_000, 1_190_000_000, null],
    '2022-10-12',
    ['19.90', null],
    'APT is the coin of Aptos, a proof-of-stake chain that runs Move contracts in parallel.',
  ),
  FIL: coin(
    [710_000_000, 1_950_000_000, 1_960_000_000],
    '2020-10-15',
    ['237.24', null],
    'FIL pays for storage on Filecoin, whose providers prove that they keep the data.',
  ),
  ICP: coin(
    [540_000_000, 540_000_000, null],
    '2021-05-10',
    [null, null],
    'ICP governs the Internet Computer and is turned into cycles that run its programs.',
  ),
  HBAR: coin(
    [42_500_000_000, 50_000_000_000, 50_000_000_000],
    '2019-09-17',
    ['0.5701', '0.01001'],
    'HBAR pays fees and secures Hedera, a network run by a council of organisations.',
  ),
  ATOM: coin(
    [485_000_000, 485_000_000, null],
    '2019-03-14',
    ['44.70', null],
    'ATOM secures the Cosmos Hub, the first of many chains that talk through one protocol.',
  ),
  USDC: coin(
    [null, null, null],
    '2018-09-26',
    [null, null],
    'USD Coin is a token that its issuer redeems for one US dollar.',
  ),
};
