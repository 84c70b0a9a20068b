/** Where a browser test plays: a server of its own, Chromium, and who has signed in. */
import { type DatabaseKind, databaseIn, makeTestDatabase, type TestDatabase } from '@cambist/server/test/databases.ts';
import { freePort } from '@cambist/server/test/free-port.ts';
import { startServerInProcess } from '@cambist/server/test/server-in-process.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
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

/** What the shared page can be given without a device of its own. */
export type SharedPageOptions = Pick<PageOptions, 'as' | 'keeps'> & { readonly viewport?: ViewportSize };

export interface Stage {
  /** By name, since passkeys belong to a name, and an address in figures is none. */
  readonly url: string;
  /** Where the exchange's mails arrive. */
  readonly mails: MailServer;
  /** A call of nobody in particular. */
  readonly call: Session['call'];
  signIn(who: Credentials): Promise<Session>;
  /** Opens a page on a device of its own, which goes to addresses of this server. */
  open(options?: PageOptions): Promise<Page>;
  /**
   * Answers the page that all tests of the stage share, reset to a fresh device, for half the cost of `open`. Service
   * workers are blocked there. The page of an earlier call is the same one.
   */
  reuse(options?: SharedPageOptions): Promise<Page>;
  close(): Promise<void>;
}

/** A stage whose server is a process of its own. */
export interface MortalStage extends Stage {
  /** Kills the server with -9 and starts it again on the same files. */
  restart(): Promise<void>;
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

/** @returns how to stop it */
type StartServer = (port: number, settings: Readonly<Record<string, string>>) => Promise<() => Promise<unknown>>;

/**
 * Opens a stage whose server runs in this process, on PostgreSQL unless the test brings a data folder.
 * @param settings of the server's environment; without any there is no market, and mails go out by SMTP
 */
export async function setStage(
  settings: Readonly<Record<string, string>> = {},
  kind: DatabaseKind = 'postgres',
): Promise<Stage> {
  const folder = settings.DATA_DIR;
  const database = folder === undefined ? await makeTestDatabase(kind, 'migrated') : databaseIn(folder);
  return raise(database, settings, (port, settings) => startServerInProcess(database, port, settings));
}

/** Opens a stage whose server is a process of its own on the embedded database, as `npm start` runs it. */
export async function setMortalStage(settings: Readonly<Record<string, string>> = {}): Promise<MortalStage> {
  let kill = async () => {};
  let start = async () => {};
  const database = await makeTestDatabase('pglite', 'migrated');
  const stage = await raise(database, settings, async (port, settings) => {
    let server: ServerProcess;
    start = async () => {
      server = await startServerProcess({ ...database.environment, ...settings, PORT: String(port) });
    };
    kill = () => server.kill();
    await start();
    return () => server.stop();
  });
  return {
    ...stage,
    async restart() {
      await kill();
      await start();
    },
  };
}

async function raise(
  database: TestDatabase,
  given: Readonly<Record<string, string>>,
  startServer: StartServer,
): Promise<Stage> {
  const browser = await sharedChromium();
  const devices: BrowserContext[] = [];
  stages.add(devices);
  const port = await freePort();
  const mails = await startMailServer();
  const settings = { MARKET: 'none', HISTORY: 'simulated', SMTP_URL: mails.url, ...given };
  const stopServer = await startServer(port, settings);
  const url = `http://localhost:${port}`;
  let shared: Page | undefined;
  if (settings.MARKET === 'simulated') await untilQuoted(url);
  return {
    url,
    mails,
    call: callOf(url),
    signIn: (who) => signIn(url, who),
    async open({ as, keeps, ...options } = {}) {
      const localStorage = [...storedItems(as, keeps)].map(([name, value]) => ({ name, value }));
      const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
      const context = await browser.newContext({ baseURL: url, viewport: DESK, storageState, ...options });
      devices.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    },
    async reuse({ as, keeps, viewport = DESK } = {}) {
      if (shared !== undefined && !(await canReset(shared))) {
        await shared.context().close();
        shared = undefined;
      }
      if (shared === undefined) {
        const context = await browser.newContext({ baseURL: url, viewport, serviceWorkers: 'block' });
        devices.push(context);
        context.setDefaultTimeout(PATIENCE_MS);
        shared = await context.newPage();
      }
      await resetPage(shared, viewport, storedItems(as, keeps));
      return shared;
    },
    async close() {
      // An answer that a test rewrites may be on its way still; it ends with its page and is no failure.
      const pages = devices.flatMap((device) => device.pages());
      await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(devices.map((device) => device.close()));
      stages.delete(devices);
      await stopServer();
      await mails.close();
      await database.remove();
    },
  };
}

/** What the app's stores keep on a device, by the names of `localStorage`. */
function storedItems(session: Session | undefined, keeps: PageOptions['keeps'] = {}): ReadonlyMap<string, string> {
  const preferences = { shownBanner: SAMPLE_BANNER, ...keeps.preferences };
  const states = { ...(session ? { session: session.kept } : {}), ...keeps, preferences };
  return new Map(
    Object.entries(states).map(([store, state]) => [`cambist.${store}`, JSON.stringify({ state, version: 0 })]),
  );
}

/** A file of the server's origin that runs no script: storage is cleared there, with no app that writes it again. */
const STATIC_FILE = '/favicon.svg';

/** The events that tests listen to. Playwright needs its own listeners, such as `close`, to close a page. */
const HEARD_EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'response',
  'websocket',
] as const;

/** Playwright's clock stays in a device until its end, and a page that was closed or has crashed is gone. */
async function canReset(page: Page): Promise<boolean> {
  if (page.isClosed()) return false;
  return page.evaluate(() => !('__pwClock' in globalThis)).catch(() => false);
}

/** Brings a page to the state of a fresh device that stores `items` and nothing else. */
async function resetPage(page: Page, viewport: ViewportSize, items: ReadonlyMap<string, string>): Promise<void> {
  const context = page.context();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of HEARD_EVENTS) {
    page.removeAllListeners(event);
    context.removeAllListeners(event);
  }
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
  await page.setViewportSize(viewport);
  await page.goto(STATIC_FILE);
  await page.evaluate(replaceStorage, [...items]);
}

/** In the page. */
async function replaceStorage(items: readonly (readonly [string, string])[]): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
  for (const name of await caches.keys()) await caches.delete(name);
  for (const [name, value] of items) localStorage.setItem(name, value);
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

interface StepUpProof {
  readonly purpose: string;
  readonly act?: string;
}

/**
 * Calls as `fetch` makes them, with JSON both ways. A step-up without an `act` is a promise: each call that asks for one
 * for that purpose is confirmed with this proof.
 */
function callOf(url: string, token?: string): Session['call'] {
  const promised = new Map<string, StepUpProof>();

  const send = (method: string, path: string, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  return async <Answer>(method: string, path: string, body?: unknown) => {
    const proof = body as StepUpProof | undefined;
    if (path === '/api/v3/step-up' && proof !== undefined && proof.act === undefined) {
      promised.set(proof.purpose, proof);
      return { message: 'success' } as Answer;
    }
    let response = await send(method, path, body);
    let answer = await response.text();
    const need =
      response.status === 403 ? (JSON.parse(answer) as { step_up?: Required<StepUpProof> }).step_up : undefined;
    const given = need && promised.get(need.purpose);
    if (need !== undefined && given !== undefined) {
      await send('POST', '/api/v3/step-up', { ...given, act: need.act });
      response = await send(method, path, body);
      answer = await response.text();
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
    return JSON.parse(answer) as Answer;
  };
}
