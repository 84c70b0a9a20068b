/** Where a browser test plays: a server of its own, Chromium, and who has signed in. */
import { type DatabaseKind, makeTestDatabase } from '@cambist/server/test/databases.ts';
import { freePort } from '@cambist/server/test/free-port.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './browser.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

export const DESK = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

/** A page on a busy machine takes its time; nothing that works takes this long. */
const PATIENCE_MS = 30_000;

/** Its id in the contents that are there from the beginning. */
const SAMPLE_BANNER = 'airdrop';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Who is there in development. */
export const TRADER = { username: 'trader@cambist.test', password: 'trade-the-demo', pin: 'demo-order' } as const;
export const OPERATOR = {
  username: 'operator@cambist.test',
  password: 'operate-the-demo',
  pin: 'demo-operator',
} as const;

/** Somebody signed in, by the server's own answer. */
export interface Session {
  /** What the app's store keeps of it in the browser. */
  readonly kept: {
    readonly token: string;
    readonly user: unknown;
    readonly client: unknown;
    readonly unlockedUntil: number;
  };
  /** A call past the page; throws when it is refused. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Whose device it is; nobody has signed in on any other. */
  readonly as?: Session;
  /**
   * What the app's stores keep on the device already, by their names, such as `preferences`. The announcement has come in
   * there before, unless these say otherwise: it is drawn sixty times a second for as long as it takes.
   */
  readonly keeps?: Readonly<Record<string, object>>;
}

export interface Stage {
  /** By name, since passkeys belong to a name, and an address in figures is none. */
  readonly url: string;
  /** Where the exchange's mails arrive. */
  readonly mails: MailServer;
  /** A call of nobody in particular. */
  readonly call: Session['call'];
  signIn(who: Credentials): Promise<Session>;
  /** A page on a device of its own, which goes to addresses of this server. */
  open(options?: PageOptions): Promise<Page>;
  /** Kills the server with -9 and starts it again on the same files. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

let running: Promise<Browser> | undefined;

const stages = new Set<readonly BrowserContext[]>();

/** All pages of this process's stages. */
export const openPages = (): Page[] => [...stages].flat().flatMap((device) => device.pages());

/** One for all files of this process, and ended with it: devices of different people share nothing. */
async function sharedChromium(): Promise<Browser> {
  if (running !== undefined && !(await running).isConnected()) running = undefined;
  running ??= launchChromium();
  return running;
}

/**
 * PostgreSQL, since the embedded database costs a server twice the CPU; that is for the tests that say so, and for those that
 * bring a folder of their own.
 * @param settings of the server's environment; without any there is no market, and mails go out by SMTP
 */
export async function setStage(
  settings: Readonly<Record<string, string>> = {},
  kind: DatabaseKind = settings.DATA_DIR === undefined ? 'postgres' : 'pglite',
): Promise<Stage> {
  // First, as it is what a machine may lack: a server would be left behind.
  const browser = await sharedChromium();
  const devices: BrowserContext[] = [];
  stages.add(devices);
  const database = await makeTestDatabase(kind, 'migrated');
  const port = await freePort();
  const mails = await startMailServer();
  const environment = {
    ...database.environment,
    MARKET: 'none',
    HISTORY: 'simulated',
    PORT: String(port),
    SMTP_URL: mails.url,
    ...settings,
  };
  let server: ServerProcess = await startServerProcess(environment);
  const url = `http://localhost:${port}`;
  if (settings.MARKET === 'simulated') await untilQuoted(url);
  return {
    url,
    mails,
    call: callOf(url),
    signIn: (who) => signIn(url, who),
    async open({ as: session, keeps = {}, ...options } = {}) {
      const preferences = { shownBanner: SAMPLE_BANNER, ...keeps.preferences };
      const states = { ...(session ? { session: session.kept } : {}), ...keeps, preferences };
      const localStorage = Object.entries(states).map(([store, state]) => ({
        name: `cambist.${store}`,
        value: JSON.stringify({ state, version: 0 }),
      }));
      const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
      const context = await browser.newContext({ baseURL: url, viewport: DESK, storageState, ...options });
      devices.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    },
    async restart() {
      await server.kill();
      server = await startServerProcess(environment);
    },
    async close() {
      // An answer that a test rewrites may be on its way still; it ends with its page and is no failure.
      const pages = devices.flatMap((device) => device.pages());
      await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(devices.map((device) => device.close()));
      stages.delete(devices);
      await server.stop();
      await mails.close();
      await database.remove();
    },
  };
}

/** A server is ready before its market maker has quoted every pair. */
async function untilQuoted(url: string): Promise<void> {
  const tickers = () =>
    callOf(url)<{ data: readonly { askPx: string; bidPx: string }[] }>('GET', '/api/v5/market/tickers?instType=SPOT');
  const deadline = Date.now() + PATIENCE_MS;
  while ((await tickers()).data.some(({ askPx, bidPx }) => askPx === '' || bidPx === '')) {
    if (Date.now() > deadline) throw new Error('The market maker does not quote every pair');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function signIn(url: string, { username, password }: Credentials): Promise<Session> {
  const answer = await callOf(url)<Session['kept']>('POST', '/api/v3/login', { username, password });
  const { token, user, client } = answer;
  return { kept: { token, user, client, unlockedUntil: 0 }, call: callOf(url, token) };
}

/** Calls as `fetch` makes them, with JSON both ways. */
function callOf(url: string, token?: string): Session['call'] {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
    return JSON.parse(answer) as Answer;
  };
}
