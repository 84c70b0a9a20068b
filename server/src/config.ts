/** The only reader of the environment: every setting, checked once, with its default. The README lists them. */
import { isIP } from 'node:net';
import { join } from 'node:path';
import { EMAIL, EMAIL_LENGTH } from '@cambist/contract/email.ts';
import { z } from 'zod';
import type { TrustedProxies } from './platform/proxies.ts';

const repository = join(import.meta.dirname, '../..');

/** A range that the proxy library knows: an address, a network, or one of its names. */
function isNetwork(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** `true` is one proxy. Everything trusted, `0.0.0.0/0`, would believe whatever a client writes. */
const trustedProxies = z.string().transform((text, context): TrustedProxies => {
  if (/^(true|false)$/.test(text)) return text === 'true' ? 1 : 0;
  if (/^\d$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every((network) => isNetwork(network) && !network.endsWith('/0'))) return networks;
  context.addIssue('the number of proxies before the server (0 to 9), or their networks, such as 10.0.0.0/8,loopback');
  return z.NEVER;
});
const NO_MAIL = 'none';
const MOST_MAILBOXES = 20;
/** Mailboxes with commas between them, or none. */
const mailboxes = z
  .string()
  .transform((text) => (text.trim() === NO_MAIL ? [] : text.split(',').map((address) => address.trim())))
  .pipe(
    z
      .array(z.string().max(EMAIL_LENGTH).regex(EMAIL, 'addresses with commas between them, or none'))
      .max(MOST_MAILBOXES),
  );
/** `exchange@your.name` or `Your name <exchange@your.name>`: a mail server refuses what is sent by anybody else. */
const sender = z
  .string()
  .trim()
  .max(320)
  .regex(
    /^(?:[^<>@,;\r\n]*<[^<>@\s,;]+@[^<>@\s,;]+>|[^<>@\s,;]+@[^<>@\s,;]+)$/,
    'an address, or a name and <an address>',
  );
/** That a provider of nodes asks for. */
const nodeKey = z.string().regex(/^[\w-]{1,200}$/);
const addresses = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).max(20));

/** `https://feed.example`, whose websocket is at `/ws/v5`, or `https://feed.example|wss://ws.feed.example/ws/v5`. */
const priceFeed = z
  .string()
  .trim()
  .transform((text) => {
    const [restUrl = '', given, ...rest] = text.split('|');
    const webSocketUrl = given ?? `${restUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws/v5`;
    return { restUrl: restUrl.replace(/\/$/, ''), webSocketUrl, rest };
  })
  .pipe(
    z.object({
      restUrl: z.url({ protocol: /^https?$/ }),
      webSocketUrl: z.url({ protocol: /^wss?$/ }),
      rest: z.array(z.string()).max(0, 'Use one address, or two with | between them'),
    }),
  )
  .transform(({ restUrl, webSocketUrl }) => ({ restUrl, webSocketUrl }));
const priceFeeds = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(priceFeed).max(8, 'Use at most 8 feeds'));

/** Of an account of keys that are elsewhere. One that signs, `xprv`, is refused. */
const extendedPublicKey = z
  .string()
  .regex(/^[xz]pub[1-9A-HJ-NP-Za-km-z]{100,112}$/, 'the extended public key of an account, xpub… or zpub…');

/** A week: what is longer than 24 days a timer takes for a millisecond. */
const LONGEST_PAUSE_S = 604_800;

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  DATA_DIR: z.string().min(1).default(join(repository, 'data')),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(100).default(9),
  MARKET: z.enum(['simulated', 'okx', 'none']).default('simulated'),
  /** What markets begin with: made candles, as with `MARKET=simulated`, or nothing but their own trades. */
  HISTORY: z.enum(['simulated', 'none']).optional(),
  OKX_REST_URL: z.url().default('https://www.okx.com'),
  OKX_WS_URL: z.url().default('wss://ws.okx.com:8443/ws/v5'),
  /** Further feeds for the index of perpetuals, beside the reference. */
  INDEX_URLS: priceFeeds.default([]),
  /** What the market maker's start fills the insurance of perpetuals up to; in production 0 unless it is said. */
  INSURANCE_USDT: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  /** What the market maker and the insurance may lose together before the market maker stops; without it any loss in development. */
  LOSS_LIMIT_USDT: z.coerce.number().int().min(1).max(1_000_000_000_000).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Who is told of alarms, in the place of every operator. */
  ALARM_MAIL: mailboxes.optional(),
  MAIL_FROM: sender.default('Cambist <no-reply@localhost>'),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(3000),
  TRUST_PROXY: trustedProxies.default(0),
  SESSION_DAYS: z.coerce.number().int().min(1).max(365).default(7),
  QUEUE_LIMIT: z.coerce.number().int().min(1).default(20_000),
  JOURNAL_HOURS: z.coerce.number().int().min(1).max(876_000).default(72),
  /** How often the second computation of the state catches up with what is stored. */
  FOLLOW_SECONDS: z.coerce.number().int().min(1).max(LONGEST_PAUSE_S).default(5),
  /** How often a snapshot of the state is written while something changes. */
  SNAPSHOT_SECONDS: z.coerce.number().int().min(1).default(300),
  UNAVAILABLE_SECONDS: z.coerce.number().int().min(1).default(60),
  /** How often what is owed to clients is proved. */
  LIABILITIES_HOURS: z.coerce.number().int().min(1).max(8760).default(24),
  RECONCILE_SECONDS: z.coerce.number().int().min(1).max(LONGEST_PAUSE_S).default(60),
  /** How many witnesses of the ledger must confirm a transfer between wallets. */
  TRANSFER_CONFIRMATIONS: z.coerce.number().int().min(1).max(5).default(5),
  ALLOW_DEVELOPMENT_PARTS: z.string().default(''),
  SECRETS_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '32 bytes in hex, such as `openssl rand -hex 32` prints')
    .optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PLACE_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]{1,60}$/)
    .optional(),
  OPERATOR_TOTP: z.enum(['required', 'optional']).optional(),
  GOOGLE_ISSUER: z.url({ protocol: /^https?$/ }).default('https://accounts.google.com'),
  GOOGLE_CLIENT_ID: z.string().min(1).max(300).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).max(300).optional(),
  APPLE_ISSUER: z.url({ protocol: /^https?$/ }).default('https://appleid.apple.com'),
  APPLE_CLIENT_ID: z.string().min(1).max(300).optional(),
  APPLE_CLIENT_SECRET: z.string().min(1).max(2000).optional(),
  ETH_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** How often development makes a block while something waits or confirms; 0: on demand alone. */
  DEVELOPMENT_BLOCK_SECONDS: z.coerce.number().min(0).max(3600).default(3),
  ERC20_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BEP20_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** With the node's name and password, or without them beside its cookie. */
  BTC_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BTC_RPC_COOKIE_FILE: z.string().min(1).max(1000).optional(),
  BTC_RPC_URL_2: z.url({ protocol: /^https?$/ }).optional(),
  BTC_RPC_COOKIE_FILE_2: z.string().min(1).max(1000).optional(),
  BTC_NETWORK: z.enum(['mainnet', 'testnet', 'signet', 'regtest']).default('mainnet'),
  /** A second node of the same network, run apart from the first: only what both say is believed. */
  ERC20_RPC_URL_2: z.url({ protocol: /^https?$/ }).optional(),
  BEP20_RPC_URL_2: z.url({ protocol: /^https?$/ }).optional(),
  /** The HTTP interface of a TRON node, and the key that a provider of nodes asks for. */
  TRC20_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where it tells of final blocks; the same address where there is none. */
  TRC20_SOLIDITY_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRC20_API_KEY: nodeKey.optional(),
  TRC20_RPC_URL_2: z.url({ protocol: /^https?$/ }).optional(),
  TRC20_SOLIDITY_URL_2: z.url({ protocol: /^https?$/ }).optional(),
  TRC20_API_KEY_2: nodeKey.optional(),
  DEPOSIT_XPUB_EVM: extendedPublicKey.optional(),
  DEPOSIT_XPUB_BTC: extendedPublicKey.optional(),
  DEPOSIT_XPUB_TRON: extendedPublicKey.optional(),
  /** The signer in a process of its own: where it listens (a path, or host:port), our private key, and its public one. */
  SIGNER_CONNECT: z.string().min(1).max(300).optional(),
  SIGNER_SERVER_KEY_FILE: z.string().min(1).max(1000).optional(),
  SIGNER_PUBLIC_KEY_FILE: z.string().min(1).max(1000).optional(),
  SMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  SMS_TOKEN: z.string().min(1).max(500).optional(),
  SMS_FROM: z.string().min(1).max(40).default('Cambist'),
  METRICS_TOKEN: z.string().min(16).max(500).optional(),
  DURABILITY: z.enum(['commit', 'none']).default('commit'),
  SITE_NAME: z.string().trim().min(1).max(60).default('Cambist'),
  OPERATOR_NAME: z.string().trim().min(1).max(120).optional(),
  OPERATOR_JURISDICTION: z.string().trim().min(1).max(120).optional(),
  SOURCE_URL: z.url({ protocol: /^https?$/ }).optional(),
  NEWS_RSS: addresses.default([]),
  CHATWOOT_URL: z.url({ protocol: /^https?$/ }).optional(),
  CHATWOOT_TOKEN: z
    .string()
    .regex(/^[\w-]{1,128}$/)
    .optional(),
});

export type Config = z.output<typeof schema> & {
  readonly isProduction: boolean;
  readonly hasSimulatedHistory: boolean;
  /** Operators do nothing as such before they have an authenticator app. */
  readonly operatorTotp: 'required' | 'optional';
  /** Accounts whose passwords are published may be there: in development, and where they are allowed by name. */
  readonly allowsDemoAccounts: boolean;
  /** The built web client. */
  readonly webDirectory: string;
};

/** Development parts by the name under which ALLOW_DEVELOPMENT_PARTS lets each run in production. */
function developmentParts(settings: z.output<typeof schema>): { name: string; used: boolean; mend: string }[] {
  return [
    { name: 'outbox', used: settings.SMTP_URL === undefined, mend: 'set SMTP_URL' },
    { name: 'simulated-market', used: settings.MARKET === 'simulated', mend: 'set MARKET=okx or MARKET=none' },
    { name: 'simulated-history', used: settings.HISTORY === 'simulated', mend: 'leave HISTORY out' },
    { name: 'no-durability', used: settings.DURABILITY === 'none', mend: 'set DURABILITY=commit' },
  ];
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One market that is named twice would have two voices in the median. */
function checkIndexFeeds({ MARKET, OKX_REST_URL, INDEX_URLS }: z.output<typeof schema>): void {
  if (INDEX_URLS.length === 0) return;
  if (MARKET !== 'okx') throw new ConfigError('INDEX_URLS: set MARKET=okx with it, or leave it out');
  const hosts = [OKX_REST_URL, ...INDEX_URLS.map(({ restUrl }) => restUrl)].map((url) => new URL(url).host);
  const twice = hosts.find((host, at) => hosts.indexOf(host) < at);
  if (twice !== undefined)
    throw new ConfigError(`INDEX_URLS: name each source once, OKX_REST_URL included; ${twice} is named twice`);
}

/** @throws ConfigError with one line for each setting that is wrong and what to change */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  }
  const isProduction = parsed.data.NODE_ENV === 'production';
  const allowed = new Set(parsed.data.ALLOW_DEVELOPMENT_PARTS.split(',').map((name) => name.trim()));
  const refused = developmentParts(parsed.data).filter(({ name, used }) => used && isProduction && !allowed.has(name));
  if (refused.length > 0) {
    const lines = refused.map(
      ({ name, mend }) => `${name} is for development: ${mend}, or allow it by name in ALLOW_DEVELOPMENT_PARTS`,
    );
    throw new ConfigError(lines.join('\n'));
  }
  if (!isProduction && !isLoopback(parsed.data.HOST) && !allowed.has('public-development')) {
    throw new ConfigError(
      'HOST: development has known passwords, a faucet and an open mailbox, so it listens on loopback only. ' +
        'Set NODE_ENV=production, or allow public-development by name in ALLOW_DEVELOPMENT_PARTS.',
    );
  }
  checkIndexFeeds(parsed.data);
  if ((parsed.data.CHATWOOT_URL === undefined) !== (parsed.data.CHATWOOT_TOKEN === undefined)) {
    throw new ConfigError('CHATWOOT_URL, CHATWOOT_TOKEN: set both, or neither for our own support thread');
  }
  const { ERC20_RPC_URL, BEP20_RPC_URL, DEPOSIT_XPUB_EVM } = parsed.data;
  if (isProduction && (ERC20_RPC_URL ?? BEP20_RPC_URL) !== undefined && DEPOSIT_XPUB_EVM === undefined) {
    throw new ConfigError('DEPOSIT_XPUB_EVM: set it with ERC20_RPC_URL or BEP20_RPC_URL, for the addresses of clients');
  }
  const { BTC_RPC_URL, BTC_NETWORK, DEPOSIT_XPUB_BTC } = parsed.data;
  if (isProduction && BTC_RPC_URL !== undefined && DEPOSIT_XPUB_BTC === undefined) {
    throw new ConfigError('DEPOSIT_XPUB_BTC: set it with BTC_RPC_URL, for the addresses of clients');
  }
  if (BTC_NETWORK !== 'mainnet' && BTC_RPC_URL === undefined) {
    throw new ConfigError('BTC_NETWORK: set BTC_RPC_URL with it, the node of that network');
  }
  if (isProduction && parsed.data.TRC20_RPC_URL !== undefined && parsed.data.DEPOSIT_XPUB_TRON === undefined) {
    throw new ConfigError('DEPOSIT_XPUB_TRON: set it with TRC20_RPC_URL, for the addresses of clients');
  }
  for (const which of ['', '_2'] as const) {
    if (parsed.data[`TRC20_SOLIDITY_URL${which}`] !== undefined && parsed.data[`TRC20_RPC_URL${which}`] === undefined)
      throw new ConfigError(`TRC20_SOLIDITY_URL${which}: set TRC20_RPC_URL${which} with it`);
  }
  for (const name of ['ERC20_RPC_URL', 'BEP20_RPC_URL', 'BTC_RPC_URL', 'TRC20_RPC_URL'] as const) {
    const second = parsed.data[`${name}_2`];
    if (second === undefined) continue;
    if (parsed.data[name] === undefined) throw new ConfigError(`${name}_2: set ${name} first`);
    if (parsed.data[name] === second) throw new ConfigError(`${name}_2: name another node than ${name}`);
  }
  const signer = ['SIGNER_CONNECT', 'SIGNER_SERVER_KEY_FILE', 'SIGNER_PUBLIC_KEY_FILE'] as const;
  const isGiven = signer.filter((name) => parsed.data[name] !== undefined).length;
  if (isGiven !== 0 && isGiven !== signer.length) {
    throw new ConfigError(`${signer.join(', ')}: set all three, or none where nothing is paid by chains`);
  }
  const operatorTotp = parsed.data.OPERATOR_TOTP ?? (isProduction ? 'required' : 'optional');
  const allowsDemoAccounts = !isProduction || allowed.has('demo-accounts');
  return {
    ...parsed.data,
    isProduction,
    hasSimulatedHistory: (parsed.data.HISTORY ?? parsed.data.MARKET) === 'simulated',
    operatorTotp,
    allowsDemoAccounts,
    webDirectory: join(repository, 'web/dist'),
  };
}
