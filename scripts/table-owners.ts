/**
 * Which slice owns each table: only its stores name the table in SQL. Others ask the owner's service. `platform` owns
 * what knows no business.
 */
export const tableOwners: Readonly<Record<string, readonly string[]>> = {
  platform: ['consumers', 'migrations', 'outbox'],
  'exchange/engine': ['balances', 'fee_rates', 'idempotency_keys', 'journal', 'market_states', 'projection', 'trades'],
  'exchange/ledger': ['alarms', 'ledger_entries', 'ledger_transactions', 'reconciled_balances', 'reconciliation'],
  'exchange/orders': ['conditional_orders', 'orders'],
  'exchange/instruments': ['assets', 'favorites', 'markets'],
  'exchange/market-data': ['bar_checkpoint', 'bars', 'history_seeds'],
  'exchange/alerts': ['alert_firings', 'price_alerts'],
  'identity/accounts': [
    ...['clients', 'devices', 'holds', 'identities', 'maintenance', 'operator_links', 'past_passwords'],
    ...['pending_revocations', 'sessions', 'sign_ins', 'verification_codes'],
  ],
  'identity/factors': ['passkeys', 'recovery_codes', 'totp'],
  'identity/security': ['api_keys', 'data_exports', 'whitelist'],
  'people/content': ['content_versions', 'news_feeds', 'news_imports'],
  'people/notifications': ['notifications'],
  'people/support': ['support_conversations', 'support_customers', 'support_messages'],
  'operator/audit': ['audit'],
};

/** Left to be mended; nothing may be added. */
export const tablesOfOthers: readonly string[] = [
  // The projection's parts are still in one store of the engine.
  ...['ledger_transactions', 'orders'].map((table) => `exchange/engine ${table}`),
  ...['balances', 'orders', 'projection'].map((table) => `exchange/ledger ${table}`),
  ...['fee_rates', 'trades'].map((table) => `exchange/orders ${table}`),
  ...['conditional_orders', 'orders', 'projection'].map((table) => `exchange/streams ${table}`),
  'exchange/market-data markets',
  'exchange/market-data trades',
  'exchange/alerts trades',
  ...['ledger_transactions', 'trades'].map((table) => `funds/overview ${table}`),
  // A passkey's use and a key's reading take the epoch and the role of the client in the same statement.
  'identity/factors clients',
  'identity/security clients',
];
