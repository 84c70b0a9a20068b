/**
 * Who may make which call, written down a second time: a change of a declaration must be made here as well, and is so
 * seen. The second part of a name says which API keys may make the call.
 */
export const frozen = {
  public: `
    GET /api/dev/outbox
    GET /api/dev/sms-outbox
    GET /api/v2/chart/chart-series
    GET /api/v2/mobile-check
    POST /api/v2/mobile-check
    GET /api/v2/recent-trades
    POST /api/v2/register
    GET /api/v2/send-code
    POST /api/v2/send-code
    GET /api/v2/username-check
    POST /api/v2/username-check
    GET /api/v3/auth/:provider
    GET /api/v3/auth/:provider/callback
    GET /api/v3/coin-assets
    GET /api/v3/coin-pair/current-price
    GET /api/v3/coin-profile
    GET /api/v3/config
    GET /api/v3/content/:section
    GET /api/v3/countries
    GET /api/v3/download-apk
    GET /api/v3/download-ios
    GET /api/v3/forget-password-code/verify
    POST /api/v3/forget-password-code/verify
    GET /api/v3/forgot-password/send-code
    POST /api/v3/forgot-password/send-code
    POST /api/v3/google-login
    GET /api/v3/history
    GET /api/v3/history/five-min
    GET /api/v3/history/four-hour
    GET /api/v3/history/one-day
    GET /api/v3/history/one-hour
    GET /api/v3/history/ticker
    POST /api/v3/login
    GET /api/v3/marks
    POST /api/v3/mobile-login
    GET /api/v3/news
    POST /api/v3/operator-link/read
    POST /api/v3/operator-link/use
    POST /api/v3/passkeys/sign-in
    POST /api/v3/passkeys/sign-in/options
    POST /api/v3/password-check
    GET /api/v3/platform
    GET /api/v3/quotes
    GET /api/v3/reset-password
    POST /api/v3/reset-password
    GET /api/v3/search
    GET /api/v3/sign-in-ways
    GET /api/v3/site
    GET /api/v3/symbol_info
    GET /api/v3/symbols
    GET /api/v3/time
    GET /api/v3/timescale_marks
    POST /api/v3/web3-login
    POST /api/v3/web3-login/nonce
    GET /api/v5/market/books
    GET /api/v5/market/books-full
    GET /api/v5/market/candles
    GET /api/v5/market/history-candles
    GET /api/v5/market/ticker
    GET /api/v5/market/tickers
    GET /api/v5/market/trades
    GET /api/v5/public/instruments
    GET /api/v5/public/time
    GET /api/v5/system/status
  `,
  'visitor, any key': `
    GET /api/v1/home/coins
    GET /api/v2/market-all-pairs
    GET /api/v3/all-pairs
    GET /api/v3/inn-coins
    GET /api/v3/inno-coins
    GET /api/v3/main-coins
    GET /api/v3/pos-coins
    GET /api/v3/pow-coins
  `,
  'visitor, no key': `
    POST /api/v3/support/contact
    POST /api/v3/support/conversations
    POST /api/v3/support/conversations/:id/close
    POST /api/v3/support/conversations/:id/messages
    POST /api/v3/support/conversations/:id/read
    POST /api/v3/support/conversations/list
  `,
  'client, no key': `
    GET /api/v2/get-code-for-password
    POST /api/v2/get-code-for-password
    GET /api/v2/update-password
    POST /api/v2/update-password
    GET /api/v3/account-client
    GET /api/v3/account-limits
    GET /api/v3/account-summary
    POST /api/v3/account/deletion
    GET /api/v3/account/exports
    POST /api/v3/account/exports
    GET /api/v3/account/exports/:id
    GET /api/v3/add-favorite
    POST /api/v3/add-favorite
    GET /api/v3/anti-phishing
    POST /api/v3/anti-phishing
    POST /api/v3/api-keys
    DELETE /api/v3/api-keys/:id
    GET /api/v3/app-authorization
    GET /api/v3/bind-accounts
    DELETE /api/v3/bind-accounts/:provider
    POST /api/v3/bind-accounts/:provider
    POST /api/v3/bind-email
    POST /api/v3/bind-email/send-code
    GET /api/v3/check-notification
    GET /api/v3/clients
    GET /api/v3/favorites
    GET /api/v3/get-code/anti-phishing
    POST /api/v3/get-code/anti-phishing
    POST /api/v3/logout
    GET /api/v3/my-profile
    POST /api/v3/my-profile
    GET /api/v3/notifications
    POST /api/v3/notifications/read-all
    GET /api/v3/passkeys
    POST /api/v3/passkeys
    DELETE /api/v3/passkeys/:id
    PATCH /api/v3/passkeys/:id
    POST /api/v3/passkeys/confirm/options
    POST /api/v3/passkeys/registration
    GET /api/v3/profile
    GET /api/v3/security
    PATCH /api/v3/security/withdrawal
    GET /api/v3/sendSMSCode
    POST /api/v3/sendSMSCode
    GET /api/v3/sessions
    DELETE /api/v3/sessions/:id
    POST /api/v3/sessions/end-others
    GET /api/v3/sign-in-history
    POST /api/v3/step-up
    DELETE /api/v3/totp
    POST /api/v3/totp
    POST /api/v3/totp/enrolment
    POST /api/v3/totp/recovery-codes
    DELETE /api/v3/trading-unlock
    GET /api/v3/trading-unlock
    POST /api/v3/trading-unlock
    GET /api/v3/update-notification
    POST /api/v3/update-notification
    GET /api/v3/update-password
    POST /api/v3/update-password
    POST /api/v3/update-profile
    GET /api/v3/update-transaction-password
    POST /api/v3/update-transaction-password
    GET /api/v3/update-withdraw-limit
    POST /api/v3/update-withdraw-limit
    GET /api/v3/verify-mobile
    POST /api/v3/verify-mobile
    GET /api/v3/whitelist
    POST /api/v3/whitelist
    DELETE /api/v3/whitelist/:id
  `,
  'holder, read key': `
    GET /api/v3/alerts
    GET /api/v3/alerts/firings
    GET /api/v3/buy-history
    GET /api/v3/getOrder
    GET /api/v3/overview
    GET /api/v3/sell-history
    GET /api/v3/trades/funds
    GET /api/v3/trades/open-orders
    GET /api/v3/trades/order-histories
    GET /api/v3/trades/trade-histories
    GET /api/v3/wallet-balance
    GET /api/v3/wallets/spot
  `,
  'holder, no key': `
    POST /api/v3/alerts
    DELETE /api/v3/alerts/:id
  `,
  'trader, trade key': `
    GET /api/v2/my-order
    POST /api/v2/my-order
    POST /api/v3/orders
    DELETE /api/v3/orders/:id
    PATCH /api/v3/orders/:id
    POST /api/v3/orders/batch
    POST /api/v3/orders/cancel
    POST /api/v3/orders/cancel-all
    POST /api/v3/orders/conditional
    PATCH /api/v3/orders/conditional/:id
  `,
  'trader, no key': `
    POST /api/dev/faucet
  `,
  operator: `
    GET /api/v3/admin/alarms
    POST /api/v3/admin/alarms/:id/acknowledge
    GET /api/v3/admin/audit
    GET /api/v3/admin/clients
    GET /api/v3/admin/clients/:id
    POST /api/v3/admin/clients/:id/end-sessions
    POST /api/v3/admin/clients/:id/freeze
    POST /api/v3/admin/clients/:id/restrict-withdrawals
    POST /api/v3/admin/clients/:id/unfreeze
    GET /api/v3/admin/content
    GET /api/v3/admin/content/:section
    POST /api/v3/admin/content/:section
    GET /api/v3/admin/content/:section/history
    POST /api/v3/admin/content/:section/restore
    POST /api/v3/admin/fee-tier
    POST /api/v3/admin/halt
    POST /api/v3/admin/holds/:id/lift
    GET /api/v3/admin/maintenance
    POST /api/v3/admin/maintenance
    GET /api/v3/admin/news-feeds
    GET /api/v3/admin/outbox
    POST /api/v3/admin/outbox/:id/retry
    GET /api/v3/admin/support/conversations
    GET /api/v3/admin/support/conversations/:id
    POST /api/v3/admin/support/conversations/:id/answer
    POST /api/v3/admin/support/conversations/:id/assign
    POST /api/v3/admin/support/conversations/:id/state
  `,
} as const;
