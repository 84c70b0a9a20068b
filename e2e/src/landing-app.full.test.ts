/** The web client as an app: it can be installed, starts without a connection, and never shows a kept answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { PHONE, type Stage, setStage } from './stage.ts';

let stage: Stage;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});

/** A device on which the app has been kept, and opened once more. */
beforeEach(async () => {
  await context?.close();
  page = await stage.open({ viewport: PHONE });
  context = page.context();
  await page.goto('/');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});

afterAll(() => stage?.close());

describe('the app', () => {
  it('can be installed: the manifest is valid, and its icons are there in their sizes', async () => {
    const devtools = await context.newCDPSession(page);
    const { errors, url, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(url).toBe(`${stage.url}/manifest.webmanifest`);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A private window is never offered an installation; nothing else stands against it.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    const { icons } = JSON.parse(data ?? '{}') as {
      icons: { src: string; sizes: string; type: string; purpose: string }[];
    };
    expect(new Set(icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']));
    for (const { src, sizes } of icons.filter(({ type }) => type === 'image/png')) {
      const size = await page.evaluate(async (address) => {
        const picture = await createImageBitmap(await (await fetch(address)).blob());
        return `${picture.width}x${picture.height}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });

  it('starts without a connection, says what is on the device, and comes back with the connection by itself', async () => {
    await context.setOffline(true);
    // As a device without a network has it: what is emulated, some versions of the browser forget with a navigation.
    const isOnLine = (value: boolean) => Object.defineProperty(navigator, 'onLine', { value, configurable: true });
    await page.addInitScript(isOnLine, false);
    await page.goto('/markets/prices');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    expect(await page.getByText('Logged in as').isVisible()).toBe(true);
    expect(await page.getByRole('main').getByText('$').count()).toBe(0);
    await expectAccessible(page);
    await context.setOffline(false);
    await page.evaluate(isOnLine, true);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByRole('main').getByRole('link', { name: /BTC/ }).first().waitFor();
  });

  it('says above a screen that its connection went', async () => {
    await context.setOffline(true);
    await page.getByText('You are offline. Figures may be out of date').waitFor();
    await context.setOffline(false);
    await page.getByText('You are offline. Figures may be out of date').waitFor({ state: 'hidden' });
  });

  it('never answers a call from what it keeps', async () => {
    const call = () =>
      page.evaluate(async () => {
        const response = await fetch('/api/v1/home/coins', { cache: 'no-store' }).catch(() => undefined);
        return response?.status;
      });
    expect(await call()).toBe(200);
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain('/index.html');
    expect(kept.filter((path) => /^\/(api|ws|icons|docs)/.test(path))).toEqual([]);
    await context.setOffline(true);
    expect(await call()).toBeUndefined();
    await context.setOffline(false);
  });

  it('announces a newer release, and uses it when the person says so', async () => {
    let release = 'shell-of-the-first';
    // The same server, on another day: only the worker's file differs.
    const front = createServer((request, response) => {
      const headers = { 'accept-encoding': 'identity' };
      fetch(stage.url + request.url, { headers, redirect: 'manual' })
        .then(async (answer) => {
          const type = answer.headers.get('content-type') ?? 'text/plain';
          const body = Buffer.from(await answer.arrayBuffer());
          const isWorker = request.url === '/service-worker.js';
          response.writeHead(answer.status, { 'content-type': type });
          response.end(isWorker ? body.toString().replace(/shell-[0-9a-f]{16}/, release) : body);
        })
        .catch(() => response.writeHead(502).end());
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const tab = await stage.open({ baseURL: `http://127.0.0.1:${(front.address() as AddressInfo).port}` });
    await tab.goto('/');
    await tab.evaluate(async () => void (await navigator.serviceWorker.ready));
    await tab.reload();
    expect(await tab.getByText('A new version is ready').count()).toBe(0);

    release = 'shell-of-the-second';
    await tab.reload();
    await tab.getByText('A new version is ready').waitFor();
    // The old one is in use until then.
    expect(await tab.evaluate(() => caches.keys())).toContain('shell-of-the-first');
    await tab.getByRole('button', { name: 'Update now' }).click();
    await expect
      .poll(() => tab.evaluate(() => caches.keys()).catch(() => []), { timeout: 10_000 })
      .toEqual(['shell-of-the-second']);
    await tab.context().close();
    front.close();
  });
});
