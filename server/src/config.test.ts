import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('settings', () => {
  it('all have defaults in development, on loopback', () => {
    expect(readConfig({})).toMatchObject({ HOST: '127.0.0.1', PORT: 8080, MARKET: 'simulated', isProduction: false });
  });

  it('alarms go to every operator, to those who are named, or to no mailbox', () => {
    expect(readConfig({}).ALARM_MAIL).toBeUndefined();
    const named = readConfig({ ALARM_MAIL: 'a@example.test, b@example.test' });
    expect(named.ALARM_MAIL).toEqual(['a@example.test', 'b@example.test']);
    expect(readConfig({ ALARM_MAIL: 'none' }).ALARM_MAIL).toEqual([]);
  });

  it.each(['exchange@your.name', 'Cambist <no-reply@localhost>', '"Your Exchange" <a.b+c@your.name>'])(
    'mail comes from %s',
    (from) => {
      expect(readConfig({ MAIL_FROM: from }).MAIL_FROM).toBe(from);
    },
  );

  it('an empty value is as good as none', () => {
    expect(readConfig({ PORT: '' }).PORT).toBe(8080);
    // As a number it would be 0: any port, and no limit at all.
    expect(readConfig({ PORT: ' ', RATE_LIMIT_PER_MINUTE: '  ' })).toMatchObject({
      PORT: 8080,
      RATE_LIMIT_PER_MINUTE: 3000,
    });
  });

  it.each([
    [{ PORT: '70000' }, 'PORT'],
    [{ MARKET: 'real' }, 'MARKET'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    // Thirty days, which a timer would take for a millisecond.
    [{ RECONCILE_SECONDS: '2592000' }, 'RECONCILE_SECONDS'],
    [{ FOLLOW_SECONDS: '2592000' }, 'FOLLOW_SECONDS'],
    [{ ALARM_MAIL: 'on-call@example.test, nobody' }, 'ALARM_MAIL'],
    [{ MAIL_FROM: 'Cambist' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'Cambist no-reply@example.test' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'a@example.test, b@example.test' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'Cambist <a@example.test>\nBcc: b@example.test' }, 'MAIL_FROM'],
    [{ NEWS_RSS: 'https://news.example/rss, not an address' }, 'NEWS_RSS'],
    [{ MARKET: 'okx', INDEX_URLS: 'https://feed.example, not an address' }, 'INDEX_URLS'],
    [{ MARKET: 'okx', INDEX_URLS: 'https://feed.example|https://feed.example/ws' }, 'INDEX_URLS'],
    [{ MARKET: 'okx', INDEX_URLS: 'https://a.example|wss://a.example|wss://b.example' }, 'INDEX_URLS'],
    [{ MARKET: 'okx', INDEX_URLS: 'https://a.example,https://a.example/' }, 'a.example is named twice'],
    [{ MARKET: 'okx', INDEX_URLS: 'https://www.okx.com' }, 'www.okx.com is named twice'],
    [{ MARKET: 'simulated', INDEX_URLS: 'https://a.example' }, 'INDEX_URLS: set MARKET=okx with it'],
    [{ CHATWOOT_URL: 'https://chat.example' }, 'CHATWOOT_TOKEN'],
    [{ CHATWOOT_TOKEN: 'abc' }, 'CHATWOOT_URL'],
    [{ SIGNER_CONNECT: '/run/signer' }, 'SIGNER_PUBLIC_KEY_FILE'],
    [{ SIGNER_SERVER_KEY_FILE: 'a', SIGNER_PUBLIC_KEY_FILE: 'b' }, 'SIGNER_CONNECT'],
    [{ ERC20_RPC_URL_2: 'http://node.example' }, 'ERC20_RPC_URL_2: set ERC20_RPC_URL first'],
    [{ BTC_RPC_URL_2: 'http://node.example' }, 'BTC_RPC_URL_2: set BTC_RPC_URL first'],
    [{ TRC20_RPC_URL_2: 'http://node.example' }, 'TRC20_RPC_URL_2: set TRC20_RPC_URL first'],
    [{ TRC20_RPC_URL: 'http://a.example', TRC20_RPC_URL_2: 'http://a.example' }, 'name another node'],
    [{ TRC20_SOLIDITY_URL_2: 'http://node.example' }, 'set TRC20_RPC_URL_2 with it'],
    [{ BEP20_RPC_URL: 'http://a.example', BEP20_RPC_URL_2: 'http://a.example' }, 'name another node'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '-1' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: 'loopback,' }, 'TRUST_PROXY'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN'],
    [{ TRC20_SOLIDITY_URL: 'http://node.example' }, 'set TRC20_RPC_URL with it'],
    [{ BTC_NETWORK: 'regtest' }, 'BTC_RPC_URL'],
    [{ BTC_NETWORK: 'moon', BTC_RPC_URL: 'http://node.example' }, 'BTC_NETWORK'],
  ])('names the setting that is wrong: %j', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(name);
  });

  it.each([
    [{}, 0],
    [{ TRUST_PROXY: 'false' }, 0],
    [{ TRUST_PROXY: 'true' }, 1],
    [{ TRUST_PROXY: '2' }, 2],
    [{ TRUST_PROXY: '10.0.0.0/8, loopback,fd00::/8' }, ['10.0.0.0/8', 'loopback', 'fd00::/8']],
  ])('takes proxies as a number of hops or as networks: %j', (environment, expected) => {
    expect(readConfig(environment).TRUST_PROXY).toEqual(expected);
  });

  it('takes further feeds of the index by one address, or by one of each kind', () => {
    expect(readConfig({}).INDEX_URLS).toEqual([]);
    const urls = 'https://a.example/, http://b.example:81|ws://ws.b.example/v5';
    expect(readConfig({ MARKET: 'okx', INDEX_URLS: urls }).INDEX_URLS).toEqual([
      { restUrl: 'https://a.example', webSocketUrl: 'wss://a.example/ws/v5' },
      { restUrl: 'http://b.example:81', webSocketUrl: 'ws://ws.b.example/v5' },
    ]);
  });

  it('takes several feeds, separated by commas', () => {
    expect(readConfig({}).NEWS_RSS).toEqual([]);
    const feeds = ['https://a.example/rss', 'http://127.0.0.1:9/atom'];
    expect(readConfig({ NEWS_RSS: feeds.join(', ') }).NEWS_RSS).toEqual(feeds);
  });

  it('development listens on loopback unless it is allowed by name to be reached', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1', '127.1.2.3']) expect(readConfig({ HOST }).HOST).toBe(HOST);
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5', '127.0.0.1.example.com']) {
      expect(() => readConfig({ HOST })).toThrow(/loopback only/);
    }
    expect(readConfig({ HOST: '0.0.0.0', ALLOW_DEVELOPMENT_PARTS: 'public-development' }).HOST).toBe('0.0.0.0');
  });

  it('production needs the keys of the addresses that clients are shown of each network that has a node', () => {
    const production = { NODE_ENV: 'production', ALLOW_DEVELOPMENT_PARTS: 'outbox, simulated-market' };
    const node = { BTC_RPC_URL: 'http://name:password@node.example:8332' };
    expect(() => readConfig({ ...production, ...node })).toThrow(/^DEPOSIT_XPUB_BTC/);
    expect(readConfig({ ...production, ...node, DEPOSIT_XPUB_BTC: `zpub${'1'.repeat(107)}` }).BTC_NETWORK).toBe(
      'mainnet',
    );
  });

  it('production refuses development parts unless they are allowed by name', () => {
    const production = { NODE_ENV: 'production' };
    expect(() => readConfig(production)).toThrow(/outbox.*SMTP_URL[\s\S]*simulated-market/);
    expect(readConfig({ ...production, SMTP_URL: 'smtp://mail.example', MARKET: 'okx' }).isProduction).toBe(true);
    expect(readConfig({ ...production, ALLOW_DEVELOPMENT_PARTS: 'outbox, simulated-market' }).MARKET).toBe('simulated');
    const parts = 'outbox, simulated-market';
    expect(readConfig({ ...production, ALLOW_DEVELOPMENT_PARTS: parts }).allowsDemoAccounts).toBe(false);
    const all = `${parts}, demo-accounts`;
    expect(readConfig({ ...production, ALLOW_DEVELOPMENT_PARTS: all }).allowsDemoAccounts).toBe(true);
  });
});
