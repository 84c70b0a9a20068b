/**
 * Which slice owns each table: only its stores name the table in SQL. Others ask the owner's service. `platform` owns
 * what knows no business.
 */
export const tableOwners: Readonly<Record<string, readonly string[]>> = {
  platform: ['consumers', 'migrations', 'outbox', 'secrets_key'],
  'exchange/engine': ['clock', 'idempotency_keys', 'journal', 'journal_archive', 'projection', 'snapshots'],
  'exchange/ledger': [
    ...['alarms', 'balances', 'command_sources', 'fee_rates', 'ledger_entries', 'ledger_origin', 'ledger_transactions'],
    ...['pending_transfers', 'reconciled_balances', 'reconciliation'],
  ],
  'exchange/orders': [
    'client_order_ids',
    'closings',
    'conditional_orders',
    'exit_plans',
    'icebergs',
    'orders',
    'trades',
    'twaps',
    'unplaced_orders',
  ],
  'exchange/futures': [
    ...[
      'funding_notices',
      'funding_settlements',
      'futures_form',
      'insurance_days',
      'margin_calls',
      'perpetual_states',
      'position_changes',
    ],
    ...['position_liquidations', 'positions'],
  ],
  'exchange/instruments': [
    ...['assets', 'exchange_settings', 'favorites', 'market_states', 'markets', 'perpetual_markets', 'risk_tiers'],
  ],
  'operator/markets': ['settling_prices', 'maintenance_halts'],
  'exchange/market-data': ['bar_checkpoint', 'bars', 'history_seeds', 'price_bars'],
  'exchange/alerts': ['triggered_alerts', 'price_alerts'],
  'identity/accounts': [
    ...['clients', 'devices', 'holds', 'identities', 'maintenance', 'operator_links', 'past_passwords'],
    ...['pending_revocations', 'sessions', 'sign_ins', 'verification_codes'],
  ],
  'identity/operators': ['pending_changes'],
  'identity/factors': ['passkeys', 'recovery_codes', 'totp'],
  'identity/security': ['api_keys', 'data_exports', 'whitelist'],
  'funds/balance-history': ['daily_balances', 'daily_balances_progress'],
  'funds/chains': ['coin_networks'],
  'funds/cold': ['wallet_bounds', 'wallet_moves'],
  'funds/cost-basis': ['cost_basis', 'cost_basis_progress'],
  'funds/deposits': [
    ...['chain_blocks', 'chain_cursors', 'deposit_addresses', 'deposit_debts', 'deposit_dust', 'deposit_keys'],
    ...[
      'deposit_holdings',
      'deposit_movements',
      'deposit_rounds',
      'deposit_sums',
      'deposits',
      'internal_receipts',
      'unlisted_deposits',
    ],
  ],
  'funds/liabilities': ['liability_runs', 'liability_totals', 'reserve_statements', 'cold_reserve_signatures'],
  'funds/overview': ['daily_positions', 'daily_trades'],
  'funds/payouts': [
    ...['custody_checks', 'payout_attempts', 'payout_book', 'payout_costs', 'payout_networks', 'payouts'],
  ],
  'funds/sweeps': ['sweep_policy', 'sweeps'],
  'funds/transfers': ['transfers'],
  'funds/withdrawals': [
    ...['fraudulent_addresses', 'withdrawal_approvals', 'withdrawal_events', 'withdrawal_policy', 'withdrawals'],
  ],
  'people/content': ['content_versions', 'news_feeds', 'news_imports'],
  'people/notifications': ['muted_notifications', 'notifications', 'read_marks'],
  'people/support': ['support_conversations', 'support_customers', 'support_messages'],
  'operator/audit': ['audit'],
};

/** Where a statement needs another slice's table, with the reason; the rest is left to be mended. */
export const tablesOfOthers: readonly string[] = [
  // The reconciler compares what other slices keep.
  ...['orders', 'projection', 'trades'].map((table) => `exchange/ledger ${table}`),
  'exchange/market-data markets',
  'exchange/market-data trades',
  'exchange/alerts trades',
  // What a day brought is summed where its rows are written.
  'funds/overview ledger_transactions',
  'funds/overview trades',
  // A passkey's use and a key's reading take the epoch and the role of the client in the same statement.
  'identity/factors clients',
  'identity/security clients',
];
