/** Every address of the product, as both documents list them. */

export interface Address {
  readonly ids: string;
  readonly path: string;
  /** Where it ends when it is another spelling. */
  readonly lands?: string;
  /** A visitor is asked to sign in first. */
  readonly guarded?: boolean;
}

const address = (ids: string, path: string, more: Partial<Address> = {}): Address => ({ ids, path, ...more });
const own = (ids: string, path: string, more: Partial<Address> = {}): Address =>
  address(ids, path, { guarded: true, ...more });

export const ADDRESSES: readonly Address[] = [
  address('[T-routes-07] [A-landing-17] [A-landing-49]', '/'),
  address('[T-routes-60] [A-shell-11]', '/home', { lands: '/' }),
  address('[T-routes-46]', '/signin'),
  address('[T-routes-47]', '/signup'),
  address('[T-routes-47]', '/signup/ABC123'),
  address('[T-routes-22] [A-markets-46]', '/markets', { lands: '/markets/prices' }),
  address('[T-routes-23] [A-markets-01]', '/markets/prices'),
  address('[T-routes-24] [A-markets-02]', '/markets/pos'),
  address('[T-routes-25] [A-markets-03]', '/markets/pow'),
  address('[T-routes-26] [A-markets-04]', '/markets/innovation'),
  address('[T-routes-27] [A-markets-05]', '/markets/favorites'),
  address('[A-markets-06]', '/markets/trading_data'),
  address('[T-routes-28]', '/trades/spot'),
  address('[T-routes-28]', '/trades/spot/ETH'),
  address('[T-routes-30]', '/trades/trade-chart'),
  address('[T-routes-30]', '/trades/trade-chart/ETH'),
  own('[T-routes-29] [T-routes-03]', '/trades/futures'),
  own('[T-routes-29]', '/trades/futures/ETH'),
  own('[T-routes-31]', '/wallet'),
  own('[T-routes-32]', '/wallet/deposit'),
  own('[T-routes-33]', '/wallet/withdraw'),
  own('[T-routes-34]', '/wallet/convert'),
  own('[T-routes-35]', '/wallet/transfer'),
  own('[T-routes-37]', '/wallet/transactions'),
  own('[T-routes-38]', '/wallet/earn'),
  own('[T-routes-39]', '/wallet/simple_earn'),
  own('[T-routes-40]', '/wallet/auto_invest'),
  own('[T-routes-41]', '/wallet/analysis'),
  own('[T-routes-42]', '/wallet/stake'),
  own('[T-routes-43]', '/wallet/miner'),
  own('[T-routes-44]', '/wallet/live'),
  own('[T-routes-45]', '/wallet/BTC'),
  own('[T-routes-36]', '/history'),
  own('[T-routes-20]', '/profile'),
  own('[T-routes-55]', '/fee-rate'),
  own('[T-routes-21]', '/account/verify'),
  own('[T-routes-51]', '/verification', { lands: '/verification/overview' }),
  own('[T-routes-52]', '/verification/overview'),
  own('[T-routes-53]', '/verification/kyc'),
  own('[T-routes-54]', '/tier-verification'),
  own('[T-routes-14]', '/account/security'),
  own('[A-shell-12]', '/security', { lands: '/account/security' }),
  ...['/account', '/account/security'].flatMap((parent) => [
    own('[T-routes-15]', `${parent}/change_password`),
    own('[T-routes-16]', `${parent}/change_transaction_password`),
    own('[T-routes-17]', `${parent}/account_connections`),
    own('[T-routes-18]', `${parent}/anti_phishing`),
    own('[T-routes-19]', `${parent}/app_authorization`),
  ]),
  own('[T-routes-08]', '/account/referral'),
  own('[T-routes-12]', '/account/rewards'),
  own('[A-shell-12]', '/rewards', { lands: '/account/rewards' }),
  own('[T-routes-11]', '/account/tasks'),
  own('[A-shell-12]', '/tasks', { lands: '/account/tasks' }),
  own('[T-routes-10]', '/account/notifications'),
  own('[A-shell-12]', '/notifications', { lands: '/account/notifications' }),
  own('[T-routes-09]', '/account/pay'),
  own('[A-shell-08] [A-shell-12]', '/pay', { lands: '/account/pay' }),
  own('[A-shell-12]', '/payments', { lands: '/account/pay' }),
  address('[T-routes-13]', '/settings'),
  address('[T-routes-57] [A-legal-info-01]', '/about'),
  address('[T-routes-56] [A-legal-info-02]', '/contactus'),
  address('[T-routes-48]', '/legal-center', { lands: '/legal-center/terms' }),
  address('[T-routes-49] [A-legal-info-03] [A-legal-info-05]', '/legal-center/terms'),
  address('[T-routes-50] [A-legal-info-04] [A-legal-info-05]', '/legal-center/privacy'),
  address('[T-routes-58] [A-shell-04]', '/page-unavailable'),
  address('[A-shell-07]', '/p2p', { lands: '/page-unavailable' }),
  address('[A-shell-09]', '/gift', { lands: '/page-unavailable' }),
  address('[A-shell-10]', '/pool', { lands: '/page-unavailable' }),
  address('', '/install'),
];
