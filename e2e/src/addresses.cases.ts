/** Every address of the product, as both documents list them. */

export interface Address {
  readonly ids: string;
  readonly path: string;
  /** Of the screen at its end; empty where the screen has none. */
  readonly heading: string;
  /** The page's title where it differs from the heading; empty where it is the product's name alone. */
  readonly title?: string;
  /** Where it ends when it is another spelling. */
  readonly lands?: string;
  /** A visitor is asked to sign in first. */
  readonly guarded?: boolean;
  /** Its screen is not built: a frame says so, and no id that asks for the screen stands beside it. */
  readonly frame?: boolean;
  /** An earlier address shows the same screen, and `npm test` asks axe about it there alone. */
  readonly repeats?: boolean;
}

type More = Partial<Address>;

const address = (ids: string, path: string, heading: string, more: More = {}): Address => ({
  ids,
  path,
  heading,
  ...more,
});
const own = (ids: string, path: string, heading: string, more: More = {}): Address =>
  address(ids, path, heading, { guarded: true, ...more });
/** An address whose screen is not built; whoever builds it cites its line of T-routes and says `own`. */
const frame = (path: string, heading: string, ids = '', more: More = {}): Address =>
  own(ids, path, heading, { frame: true, repeats: true, ...more });

export const ADDRESSES: readonly Address[] = [
  address('[T-routes-07] [A-landing-17] [A-landing-49]', '/', 'Trade crypto on an exchange you can read.', {
    title: '',
  }),
  address('[T-routes-60] [A-shell-11]', '/home', 'Trade crypto on an exchange you can read.', {
    title: '',
    lands: '/',
  }),
  address('[T-routes-46]', '/signin', 'Log in'),
  address('[T-routes-47]', '/signup', 'Create your account', { title: 'Sign up' }),
  address('[T-routes-47]', '/signup/ABC123', 'Create your account', { title: 'Sign up' }),
  address('[T-routes-22] [A-markets-46]', '/markets', 'Markets', { title: 'Markets: All', lands: '/markets/prices' }),
  address('[T-routes-23] [A-markets-01]', '/markets/prices', 'Markets', { title: 'Markets: All' }),
  address('[T-routes-24] [A-markets-02]', '/markets/pos', 'Markets', { title: 'Markets: POS', repeats: true }),
  address('[T-routes-25] [A-markets-03]', '/markets/pow', 'Markets', { title: 'Markets: POW', repeats: true }),
  address('[T-routes-26] [A-markets-04]', '/markets/innovation', 'Markets', {
    title: 'Markets: Innovation',
    repeats: true,
  }),
  address('', '/markets/perpetuals', 'Markets', { title: 'Markets: Perpetuals', repeats: true }),
  address('[T-routes-27] [A-markets-05]', '/markets/favorites', 'Markets', { title: 'Markets: Favorites' }),
  address('[A-markets-06]', '/markets/trading_data', 'Trading data'),
  address('[T-routes-28]', '/trades/spot', 'BTC/USDT', { title: 'BTC-USDT' }),
  address('[T-routes-28]', '/trades/spot/ETH', 'ETH/USDT', { title: 'ETH-USDT', repeats: true }),
  address('[T-routes-30]', '/trades/trade-chart', 'BTC/USDT', { title: 'BTC-USDT' }),
  address('[T-routes-30]', '/trades/trade-chart/ETH', 'ETH/USDT', { title: 'ETH-USDT', repeats: true }),
  own('[T-routes-03] [T-routes-29]', '/trades/futures', 'BTC/USDT', { title: 'BTC-USDT-SWAP' }),
  own('[T-routes-29]', '/trades/futures/ETH', 'ETH/USDT', { title: 'ETH-USDT-SWAP', repeats: true }),
  address('', '/futures', 'Futures rules', { lands: '/futures/rules' }),
  address('', '/futures/rules', 'Futures rules'),
  address('', '/futures/funding', 'Funding rates'),
  address('', '/futures/insurance', 'Insurance fund'),
  own('[T-routes-31]', '/wallet', 'Total balance', { title: 'Wallet' }),
  own('', '/wallet?tab=spot', 'Spot wallet', { title: 'Wallet: Spot' }),
  own('', '/wallet?tab=earn', 'Earn', { title: 'Wallet: Earn' }),
  own('', '/wallet?tab=future', 'Futures wallet', { title: 'Wallet: Future' }),
  own('', '/wallet?tab=web3', 'Web3', { title: 'Wallet: Web3' }),
  own('[T-routes-32]', '/wallet/deposit', 'Deposit'),
  own('[T-routes-33]', '/wallet/withdraw', 'Withdraw'),
  own('[T-routes-34]', '/wallet/convert', 'Convert'),
  own('[T-routes-35]', '/wallet/transfer', 'Transfer'),
  frame('/wallet/transactions', 'Earn transactions', '', { repeats: false }),
  frame('/wallet/earn', 'Earn'),
  frame('/wallet/simple_earn', 'Simple Earn'),
  frame('/wallet/auto_invest', 'Auto Invest'),
  frame('/wallet/analysis', 'Earn analysis'),
  frame('/wallet/stake', 'Stake'),
  frame('/wallet/miner', 'Miners'),
  frame('/wallet/live', 'Live'),
  own('[T-routes-45]', '/wallet/BTC', 'BTC', { title: 'BTC: Wallet' }),
  own('[T-routes-36]', '/history', 'History'),
  own('[T-routes-20]', '/profile', 'Profile'),
  own('[T-routes-55]', '/fee-rate', 'Fee Rates'),
  frame('/account/verify', 'Verification'),
  frame('/verification', 'Verification', '', { lands: '/verification/overview' }),
  frame('/verification/overview', 'Verification', '', { repeats: false }),
  frame('/verification/kyc', 'Verification'),
  frame('/tier-verification', 'Verification levels'),
  own('[T-routes-14]', '/account/security', 'Security'),
  own('[A-shell-12]', '/security', 'Security', { lands: '/account/security' }),
  ...['/account', '/account/security'].flatMap((parent, at) => [
    own('[T-routes-15]', `${parent}/change_password`, 'Change password', { repeats: at > 0 }),
    own('[T-routes-16]', `${parent}/change_transaction_password`, 'Change transaction password', { repeats: at > 0 }),
    own('[T-routes-17]', `${parent}/account_connections`, 'Account connections', { repeats: at > 0 }),
    own('[T-routes-18]', `${parent}/anti_phishing`, 'Anti-phishing code', { repeats: at > 0 }),
    own('[T-routes-19]', `${parent}/app_authorization`, 'App authorization', { repeats: at > 0 }),
  ]),
  frame('/account/referral', 'Referral'),
  frame('/account/rewards', 'Rewards Center'),
  frame('/rewards', 'Rewards Center', '[A-shell-12]', { lands: '/account/rewards' }),
  frame('/account/tasks', 'Task Center'),
  frame('/tasks', 'Task Center', '[A-shell-12]', { lands: '/account/tasks' }),
  own('[T-routes-10]', '/account/notifications', 'Notifications'),
  own('[A-shell-12]', '/notifications', 'Notifications', { lands: '/account/notifications' }),
  frame('/account/pay', 'Payment methods'),
  frame('/pay', 'Payment methods', '[A-shell-08] [A-shell-12]', { lands: '/account/pay' }),
  frame('/payments', 'Payment methods', '[A-shell-12]', { lands: '/account/pay' }),
  address('[T-routes-13]', '/settings', 'Settings'),
  address('[T-routes-57] [A-legal-info-01]', '/about', 'About'),
  address('', '/proof', 'Proof of liabilities'),
  address('[T-routes-56] [A-legal-info-02]', '/contactus', 'Contact us'),
  address('[T-routes-48]', '/legal-center', 'Terms of use', { lands: '/legal-center/terms' }),
  address('[T-routes-49] [A-legal-info-03] [A-legal-info-05]', '/legal-center/terms', 'Terms of use'),
  address('[T-routes-50] [A-legal-info-04] [A-legal-info-05]', '/legal-center/privacy', 'Privacy policy'),
  address('[T-routes-58] [A-shell-04]', '/page-unavailable', '', { title: 'Not available' }),
  address('[A-shell-07]', '/p2p', 'P2P', { frame: true, repeats: true }),
  address('[A-shell-09]', '/gift', 'Gift Card', { frame: true, repeats: true }),
  address('[A-shell-10]', '/pool', 'Pool', { frame: true, repeats: true }),
  address('', '/buy-crypto', 'Buy Crypto', { frame: true, repeats: true }),
  address('', '/install', 'Install the app'),
];

/** The exact lists of the specification: the footer and the sidebar are on these addresses and on no others. */
export const FOOTERS: Readonly<Record<string, string>> = {
  '/': '[A-shell-56]',
  '/about': '[A-shell-57]',
  '/account/referral': '[A-shell-58]',
  '/account/security': '[A-shell-59]',
  '/markets/trading_data': '[A-shell-60]',
  '/legal-center/terms': '[A-shell-61]',
  '/legal-center/privacy': '[A-shell-61]',
  '/verification/overview': '[A-shell-62]',
  '/markets/prices': '[A-shell-63]',
  '/markets/pos': '[A-shell-63]',
  '/markets/pow': '[A-shell-63]',
  '/markets/innovation': '[A-shell-63]',
  '/markets/favorites': '[A-shell-63]',
  '/wallet/simple_earn': '[A-shell-64]',
  '/tier-verification': '[A-shell-65]',
  // Screens of our own, for everyone.
  '/markets/perpetuals': '',
  '/futures/rules': '',
  '/futures/funding': '',
  '/futures/insurance': '',
};

export const SIDEBARS: Readonly<Record<string, string>> = {
  '/profile': '[A-shell-68]',
  '/wallet': '[A-shell-69]',
  '/fee-rate': '[A-shell-70]',
  '/account/referral': '[A-shell-71]',
  '/account/rewards': '[A-shell-72]',
  '/account/security': '[A-shell-73]',
  '/verification/overview': '[A-shell-74]',
  '/verification/kyc': '[A-shell-75]',
};
