/**
 * Every address of the product: its screen, the texts that the screen needs, and what the shell shows around it. The
 * router is made from this table, and the browser tests walk it. The first page is made without it, see `router.ts`.
 */
import type { SoonName } from '../features/soon/soon-screen.tsx';
import { home } from './home-screen.ts';
import type { RouteHandle, Screen } from './route-handle.ts';

/** An old, short or flat spelling of an address. */
export interface Alias {
  readonly path: string;
  readonly to: string;
}

const ENTRY: RouteHandle = { scheme: 'light', plain: true };
const TERMINAL: RouteHandle = { terminal: true };
const OWN_TERMINAL: RouteHandle = { terminal: true, guarded: true };
const FOOTER: RouteHandle = { footer: true };
const OWN: RouteHandle = { guarded: true };
const OWN_SIDEBAR: RouteHandle = { guarded: true, sidebar: true };
const OWN_FULL: RouteHandle = { guarded: true, sidebar: true, footer: true };
const OWN_FOOTER: RouteHandle = { guarded: true, footer: true };

function screen(path: string, feature: string, handle: RouteHandle, load: Screen['load']): Screen {
  return { path, feature, load, ...handle };
}

/** A screen that is still being built: its frame, and what to do until then. */
function soon(path: string, name: SoonName, handle: RouteHandle): Screen {
  return screen(path, 'soon', { ...handle, soon: name }, async () => {
    return (await import('../features/soon/soon-screen.tsx')).SoonScreen;
  });
}

const entry: readonly Screen[] = [
  home,
  screen('/signin', 'account', ENTRY, async () => (await import('../features/account/sign-in-page.tsx')).SignInPage),
  screen(
    '/signup/:referralCode?',
    'account',
    ENTRY,
    async () => (await import('../features/account/sign-up-page.tsx')).SignUpPage,
  ),
  screen(
    '/operator-setup',
    'account',
    ENTRY,
    async () => (await import('../features/account/operator-setup-page.tsx')).OperatorSetupPage,
  ),
  ...['/auth/callback', '/redirect'].map((path) =>
    screen(path, 'account', {}, async () => (await import('../features/account/redirect-page.tsx')).RedirectPage),
  ),
];

const LISTS = ['prices', 'perpetuals', 'pos', 'pow', 'innovation', 'favorites'] as const;

const markets: readonly Screen[] = [
  ...LISTS.map((list) =>
    screen(
      `/markets/${list}`,
      'markets',
      FOOTER,
      async () => (await import('../features/markets/market-list-page.tsx')).marketListPages[list],
    ),
  ),
  screen(
    '/markets/trading_data',
    'markets',
    FOOTER,
    async () => (await import('../features/markets/trading-data-page.tsx')).TradingDataPage,
  ),
];

const spot = async () => (await import('../features/trade/spot-page.tsx')).loadSpotPage();

const trades: readonly Screen[] = [
  screen('/trades/spot/:coin?', 'trade', TERMINAL, spot),
  screen('/trades/trade-chart/:coin?', 'trade', TERMINAL, spot),
  screen('/trades/futures/:coin?', 'trade', OWN_TERMINAL, async () => {
    return (await import('../features/trade/futures/futures-page.tsx')).loadFuturesPage();
  }),
];

const perpetuals: readonly Screen[] = [
  screen('/futures/funding', 'perpetuals', FOOTER, async () => {
    return (await import('../features/perpetuals/funding-page.tsx')).FundingPage;
  }),
  screen('/futures/insurance', 'perpetuals', FOOTER, async () => {
    return (await import('../features/perpetuals/insurance-page.tsx')).InsurancePage;
  }),
  screen('/futures/rules', 'perpetuals', FOOTER, async () => {
    return (await import('../features/perpetuals/rules-page.tsx')).RulesPage;
  }),
];

const wallet: readonly Screen[] = [
  screen('/wallet', 'wallet', OWN_SIDEBAR, async () => (await import('../features/wallet/wallet-page.tsx')).WalletPage),
  screen('/wallet/deposit', 'wallet', OWN, async () => {
    return (await import('../features/wallet/deposit/deposit-page.tsx')).DepositPage;
  }),
  screen('/wallet/withdraw', 'wallet', OWN, async () => {
    return (await import('../features/wallet/withdraw/withdraw-page.tsx')).WithdrawPage;
  }),
  screen('/wallet/convert', 'wallet', OWN, async () => {
    return (await import('../features/wallet/convert/convert-page.tsx')).ConvertPage;
  }),
  screen('/wallet/transfer', 'wallet', OWN, async () => {
    return (await import('../features/wallet/transfer/transfer-page.tsx')).TransferPage;
  }),
  soon('/wallet/transactions', 'earnTransactions', OWN),
  soon('/wallet/earn', 'earn', OWN),
  soon('/wallet/simple_earn', 'simpleEarn', OWN_FOOTER),
  soon('/wallet/auto_invest', 'autoInvest', OWN),
  soon('/wallet/analysis', 'earnAnalysis', OWN),
  soon('/wallet/stake', 'stake', OWN),
  soon('/wallet/miner', 'miner', OWN),
  soon('/wallet/live', 'live', OWN),
  screen('/wallet/:coin', 'wallet', OWN, async () => {
    return (await import('../features/wallet/coin/coin-page.tsx')).CoinPage;
  }),
  screen('/history', 'wallet', OWN, async () => {
    return (await import('../features/wallet/history/history-page.tsx')).HistoryPage;
  }),
];

const account: readonly Screen[] = [
  screen('/profile', 'security', OWN_SIDEBAR, async () => {
    return (await import('../features/security/profile/profile-page.tsx')).ProfilePage;
  }),
  screen('/fee-rate', 'security', OWN_SIDEBAR, async () => {
    return (await import('../features/security/profile/fee-rate-page.tsx')).FeeRatePage;
  }),
  soon('/account/verify', 'verification', OWN),
  soon('/verification/overview', 'verification', OWN_FULL),
  soon('/verification/kyc', 'kyc', OWN_SIDEBAR),
  soon('/tier-verification', 'levels', OWN_FOOTER),
  screen('/account/security', 'security', OWN_FULL, async () => {
    return (await import('../features/security/centre/security-page.tsx')).SecurityPage;
  }),
  ...['/account', '/account/security'].flatMap((parent) => [
    screen(`${parent}/change_password`, 'security', OWN, async () => {
      return (await import('../features/security/passwords/password-pages.tsx')).ChangePasswordPage;
    }),
    screen(`${parent}/change_transaction_password`, 'security', OWN, async () => {
      return (await import('../features/security/passwords/password-pages.tsx')).ChangeTransactionPasswordPage;
    }),
    screen(`${parent}/account_connections`, 'security', OWN, async () => {
      return (await import('../features/security/connections/connections-page.tsx')).ConnectionsPage;
    }),
    screen(`${parent}/anti_phishing`, 'security', OWN, async () => {
      return (await import('../features/security/centre/anti-phishing-page.tsx')).AntiPhishingPage;
    }),
    screen(`${parent}/app_authorization`, 'security', OWN, async () => {
      return (await import('../features/security/access/authorization-page.tsx')).AuthorizationPage;
    }),
  ]),
  soon('/account/referral', 'referral', OWN_FULL),
  soon('/account/rewards', 'rewards', OWN_SIDEBAR),
  soon('/account/tasks', 'tasks', OWN),
  screen(
    '/account/notifications',
    'notifications',
    OWN,
    async () => (await import('../features/notifications/notifications-page.tsx')).NotificationsPage,
  ),
  soon('/account/pay', 'payments', OWN),
  screen(
    '/settings',
    'settings',
    {},
    async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  ),
];

const OPERATOR: RouteHandle = { guarded: true, operator: true };

const console: readonly Screen[] = [
  screen('/admin/clients', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/clients/clients-page.tsx')).ClientsPage;
  }),
  screen('/admin/clients/:id', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/clients/client-page.tsx')).ClientPage;
  }),
  screen('/admin/support', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/support/support-page.tsx')).SupportPage;
  }),
  screen('/admin/content', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/content/content-page.tsx')).ContentPage;
  }),
  screen('/admin/content/:section', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/content/section-page.tsx')).SectionPage;
  }),
  screen('/admin/markets', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/markets/markets-page.tsx')).MarketsPage;
  }),
  screen('/admin/futures', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/futures/futures-page.tsx')).FuturesPage;
  }),
  screen('/admin/treasury', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/treasury/treasury-page.tsx')).TreasuryPage;
  }),
  screen('/admin/operations', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/operations/operations-page.tsx')).OperationsPage;
  }),
  screen('/admin/audit', 'admin', OPERATOR, async () => {
    return (await import('../features/admin/clients/audit-page.tsx')).AuditPage;
  }),
];

const information: readonly Screen[] = [
  screen(
    '/about',
    'information',
    FOOTER,
    async () => (await import('../features/information/about-page.tsx')).AboutPage,
  ),
  screen('/proof', 'information', {}, async () => (await import('../features/information/proof-page.tsx')).ProofPage),
  screen(
    '/contactus',
    'information',
    {},
    async () => (await import('../features/information/contact-page.tsx')).ContactPage,
  ),
  screen(
    '/legal-center/terms',
    'information',
    FOOTER,
    async () => (await import('../features/information/legal-page.tsx')).TermsPage,
  ),
  screen(
    '/legal-center/privacy',
    'information',
    FOOTER,
    async () => (await import('../features/information/legal-page.tsx')).PrivacyPage,
  ),
  screen(
    '/install',
    'information',
    {},
    async () => (await import('../features/information/install-page.tsx')).InstallPage,
  ),
  screen(
    '/page-unavailable',
    'information',
    {},
    async () => (await import('../features/information/unavailable-page.tsx')).UnavailablePage,
  ),
  soon('/p2p', 'p2p', {}),
  soon('/gift', 'gift', {}),
  soon('/pool', 'pool', {}),
  soon('/buy-crypto', 'buyCrypto', {}),
];

const development: readonly Screen[] = [
  screen('/dev/outbox', 'development', {}, async () => {
    return (await import('../features/development/outbox-page.tsx')).OutboxPage;
  }),
  screen('/dev/chain', 'development', {}, async () => {
    return (await import('../features/development/chain-page.tsx')).ChainPage;
  }),
  screen('/dev/gallery', 'development', {}, async () => {
    return (await import('../features/development/gallery-page.tsx')).GalleryPage;
  }),
];

/** The order does not matter: a fixed address ranks above one with a parameter, so `/wallet/:coin` shadows nothing. */
export const screens: readonly Screen[] = [
  ...entry,
  ...markets,
  ...trades,
  ...perpetuals,
  ...wallet,
  ...account,
  ...console,
  ...information,
  ...development,
];

export const aliases: readonly Alias[] = [
  { path: '/futures', to: '/futures/rules' },
  { path: '/home', to: '/' },
  { path: '/markets', to: '/markets/prices' },
  { path: '/tasks', to: '/account/tasks' },
  { path: '/rewards', to: '/account/rewards' },
  { path: '/notifications', to: '/account/notifications' },
  { path: '/payments', to: '/account/pay' },
  { path: '/pay', to: '/account/pay' },
  { path: '/security', to: '/account/security' },
  { path: '/account', to: '/profile' },
  { path: '/verification', to: '/verification/overview' },
  { path: '/legal-center', to: '/legal-center/terms' },
  { path: '/admin', to: '/admin/clients' },
];
