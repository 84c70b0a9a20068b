/** Every address of the product, as both documents list them. */

export interface Address {
  readonly ids: string;
  readonly path: string;
  /** Of the screen at its end; empty where the screen has none. */
  readonly heading: string;
  /** Of the page, where several screens have the same heading. */
  readonly title?: string;
  /** Where it ends when it is another spelling. */
  readonly lands?: string;
  /** A visitor is asked to sign in first. */
  readonly guarded?: boolean;
  /** Its screen is not built: a frame says so, and no id that asks for the screen stands beside it. */
  readonly frame?: boolean;
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
const frame = (path: string, ids = '', more: More = {}): Address => own(ids, path, '', { frame: true, ...more });

export const ADDRESSES: readonly Address[] = [
  address('[T-routes-07] [A-landing-17] [A-landing-49]', '/', 'Trade crypto on an exchange you can read.'),
  address('[T-routes-60] [A-shell-11]', '/home', 'Trade crypto on an exchange you can read.', { lands: '/' }),
  address('[T-routes-46]', '/signin', 'Log in'),
  address('[T-routes-47]', '/signup', 'Create your account'),
  address('[T-routes-47]', '/signup/ABC123', 'Create your account'),
  address('[T-routes-22] [A-markets-46]', '/markets', 'Markets', { lands: '/markets/prices' }),
  address('[T-routes-23] [A-markets-01]', '/markets/prices', 'Markets', { title: 'Markets: All' }),
  address('[T-routes-24] [A-markets-02]', '/markets/pos', 'Markets', { title: 'Markets: POS' }),
  address('[T-routes-25] [A-markets-03]', '/markets/pow', 'Markets', { title: 'Markets: POW' }),
  address('[T-routes-26] [A-markets-04]', '/markets/innovation', 'Markets', { title: 'Markets: Innovation' }),
  address('[T-routes-27] [A-markets-05]', '/markets/favorites', 'Markets', { title: 'Markets: Favorites' }),
  address('[A-markets-06]', '/markets/trading_data', 'Trading data'),
  address('[T-routes-28]', '/trades/spot', 'BTC/USDT'),
  address('[T-routes-28]', '/trades/spot/ETH', 'ETH/USDT'),
  address('[T-routes-30]', '/trades/trade-chart', 'BTC/USDT'),
  address('[T-routes-30]', '/trades/trade-chart/ETH', 'ETH/USDT'),
  own('[T-routes-03] [T-routes-29]', '/trades/futures', 'BTC/USDT'),
  own('[T-routes-29]', '/trades/futures/ETH', 'ETH/USDT'),
  address('', '/futures', 'Futures rules', { lands: '/futures/rules' }),
  address('', '/futures/rules', 'Futures rules'),
  address('', '/futures/funding', 'Funding rates'),
  address('', '/futures/insurance', 'Insurance fund'),
  own('[T-routes-31]', '/wallet', 'Total balance'),
  own('', '/wallet?tab=spot', 'Spot wallet', { title: 'Wallet: Spot' }),
  own('', '/wallet?tab=earn', 'Earn', { title: 'Wallet: Earn' }),
  own('', '/wallet?tab=future', 'Futures wallet', { title: 'Wallet: Future' }),
  own('', '/wallet?tab=web3', 'Web3', { title: 'Wallet: Web3' }),
  own('[T-routes-32]', '/wallet/deposit', 'Deposit'),
  own('[T-routes-33]', '/wallet/withdraw', 'Withdraw'),
  own('[T-routes-34]', '/wallet/convert', 'Convert'),
  own('[T-routes-35]', '/wallet/transfer', 'Transfer'),
  frame('/wallet/transactions'),
  frame('/wallet/earn'),
  frame('/wallet/simple_earn'),
  frame('/wallet/auto_invest'),
  frame('/wallet/analysis'),
  frame('/wallet/stake'),
  frame('/wallet/miner'),
  frame('/wallet/live'),
  own('[T-routes-45]', '/wallet/BTC', 'BTC'),
  own('[T-routes-36]', '/history', 'History'),
  own('[T-routes-20]', '/profile', 'Profile'),
  own('[T-routes-55]', '/fee-rate', 'Fee Rates'),
  frame('/account/verify'),
  frame('/verification', '', { lands: '/verification/overview' }),
  frame('/verification/overview'),
  frame('/verification/kyc'),
  frame('/tier-verification'),
  own('[T-routes-14]', '/account/security', 'Security'),
  own('[A-shell-12]', '/security', 'Security', { lands: '/account/security' }),
  ...['/account', '/account/security'].flatMap((parent) => [
    own('[T-routes-15]', `${parent}/change_password`, 'Change password'),
    own('[T-routes-16]', `${parent}/change_transaction_password`, 'Change transaction password'),
    own('[T-routes-17]', `${parent}/account_connections`, 'Account connections'),
    own('[T-routes-18]', `${parent}/anti_phishing`, 'Anti-phishing code'),
    own('[T-routes-19]', `${parent}/app_authorization`, 'App authorization'),
  ]),
  frame('/account/referral'),
  frame('/account/rewards'),
  frame('/rewards', '[A-shell-12]', { lands: '/account/rewards' }),
  frame('/account/tasks'),
  frame('/tasks', '[A-shell-12]', { lands: '/account/tasks' }),
  own('[T-routes-10]', '/account/notifications', 'Notifications'),
  own('[A-shell-12]', '/notifications', 'Notifications', { lands: '/account/notifications' }),
  frame('/account/pay'),
  frame('/pay', '[A-shell-08] [A-shell-12]', { lands: '/account/pay' }),
  frame('/payments', '[A-shell-12]', { lands: '/account/pay' }),
  address('[T-routes-13]', '/settings', 'Settings'),
  address('[T-routes-57] [A-legal-info-01]', '/about', 'About'),
  address('', '/proof', 'Proof of liabilities'),
  address('[T-routes-56] [A-legal-info-02]', '/contactus', 'Contact us'),
  address('[T-routes-48]', '/legal-center', 'Terms of use', { lands: '/legal-center/terms' }),
  address('[T-routes-49] [A-legal-info-03] [A-legal-info-05]', '/legal-center/terms', 'Terms of use'),
  address('[T-routes-50] [A-legal-info-04] [A-legal-info-05]', '/legal-center/privacy', 'Privacy policy'),
  address('[T-routes-58] [A-shell-04]', '/page-unavailable', ''),
  address('[A-shell-07]', '/p2p', '', { lands: '/page-unavailable' }),
  address('[A-shell-09]', '/gift', '', { lands: '/page-unavailable' }),
  address('[A-shell-10]', '/pool', '', { lands: '/page-unavailable' }),
  address('', '/install', 'Install the app'),
];
