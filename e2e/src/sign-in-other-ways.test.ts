/** Ways in without a password, in a real browser: a wallet extension, and Google. */
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf } from './browser.ts';
import { actOn, register } from './people.ts';
import { type Stage, setStage } from './stage.ts';
import { installWallet } from './wallet-extension.ts';

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

/** Whatever is installed on a device, such as a wallet, is there as long as the device. */
let device: Page | undefined;

async function openDevice(): Promise<void> {
  device = await stage.open();
  page = device;
}

afterEach(async () => {
  await device?.context().close();
  device = undefined;
});

const open = (path: string) => page.goto(path);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const notice = (title: string) => page.getByRole('alert').filter({ hasText: title });
/** The calls that a page makes after the answer of one of them. */
function askedAfter(call: string): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === call) asked.length = 0;
  });
  return asked;
}
const stored = () =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cambist.session') ?? '{}').state as Record<string, unknown>);

describe('a wallet extension', () => {
  const account = privateKeyToAccount(generatePrivateKey());

  it('signs in by a signed message, and goes to the wallet (A-oauth-wallet-04, A-oauth-wallet-07..10, A-oauth-wallet-20)', async () => {
    await openDevice();
    const methods = await installWallet(page, account);
    const asked = askedAfter('/api/v3/web3-login');
    await open('/signin');
    await button('Log in with a wallet').click();
    await page.waitForURL('**/wallet');
    expect(methods).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign']);
    const { token, user, client } = await stored();
    expect(token).toBeTruthy();
    expect(user).toMatchObject({ provider: 'wallet' });
    expect(client).toMatchObject({ status: 'ACTIVE' });
    expect(asked).toEqual(expect.arrayContaining(['/api/v3/wallets/spot', '/api/v3/all-pairs']));
  });

  it('shows what the server says of a signature that does not fit (A-oauth-wallet-21)', async () => {
    await openDevice();
    await installWallet(page, account);
    await page.route('**/api/v3/web3-login', async (route) => {
      const body = route.request().postDataJSON() as { signature: string };
      await route.continue({ postData: JSON.stringify({ ...body, signature: `0x${'1'.repeat(130)}` }) });
    });
    await open('/signin');
    await button('Log in with a wallet').click();
    await notice('Login Failed').getByText("The signature doesn't match. Connect the wallet again.").waitFor();
  });

  it('a person who rejects in the extension is left in peace', async () => {
    await openDevice();
    await installWallet(page, account, { method: 'personal_sign', code: 4001 });
    await open('/signin');
    await button('Log in with a wallet').click();
    await expect.poll(() => button('Log in with a wallet').isEnabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('a missing extension is logged, and the person is told what to do (A-oauth-wallet-23)', async () => {
    page = await stage.reuse();
    const complaints = complaintsOf(page);
    await open('/signin');
    await button('Log in with a wallet').click();
    await notice('No wallet found').waitFor();
    expect(complaints.join()).toContain('No wallet extension announced itself');
  });

  it('an extension that cannot do what is asked of it is logged, and the person is told (A-oauth-wallet-24)', async () => {
    await openDevice();
    await installWallet(page, account, { method: 'eth_requestAccounts', code: 4200 });
    const complaints = complaintsOf(page);
    await open('/signin');
    await button('Log in with a wallet').click();
    await notice('Login Failed').waitFor();
    expect(complaints.join()).toContain('The wallet could not be used to sign in');
    expect(new URL(page.url()).pathname).toBe('/signin');
  });
});

describe('Google, by an OpenID provider of another package', () => {
  /** Signs in at the provider, whose page is not ours, and lets it come back. */
  async function signInAtProvider(name: string): Promise<void> {
    await open('/signin');
    await button('Continue with Google').click();
    await page.waitForURL(/\/interaction\//);
    expect(new URL(page.url()).port).not.toBe(new URL(stage.url).port);
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
  }

  it('goes there and back, and after 1.5 s to the wallet (A-oauth-wallet-01, A-oauth-wallet-03, A-oauth-wallet-05, A-oauth-wallet-11, A-oauth-wallet-13..16, T-routes-06, T-routes-64)', async () => {
    page = await stage.reuse();
    await register(stage, 'ann@example.test');
    const began = page.waitForRequest('**/api/v3/auth/google?*');
    const asked = askedAfter('/api/v3/google-login');
    const answered = page.waitForResponse('**/api/v3/google-login', { timeout: 10_000 });
    await signInAtProvider('ann');
    await page.waitForURL('**/auth/callback**');
    await page.getByText('Redirecting please wait...', { exact: true }).waitFor();
    expect((await answered).status()).toBe(200);
    const signedInAt = Date.now();
    await began;
    // They are here when the wallet opens.
    await expect.poll(() => asked).toEqual(expect.arrayContaining(['/api/v3/wallets/spot', '/api/v3/all-pairs']));
    expect(new URL(page.url()).pathname).toBe('/auth/callback');
    await page.waitForURL('**/wallet');
    expect(Date.now() - signedInAt).toBeGreaterThan(1_300);
    const { token, user, client } = await stored();
    expect(token).toBeTruthy();
    expect(user).toMatchObject({ email: 'ann@example.test' });
    expect(client).toMatchObject({ status: 'ACTIVE' });
    // The code is gone from the address, so that no history and no other page can have it.
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it('tells a frozen client to contact support (A-oauth-wallet-12, A-oauth-wallet-22)', async () => {
    page = await stage.reuse();
    await register(stage, 'bob@example.test');
    await actOn(stage, 'bob@example.test', 'freeze', { reason: 'A question of yours', until: null });
    await signInAtProvider('bob');
    const dialog = page.getByRole('dialog', { name: 'Freezed Account!' });
    await dialog.getByText('Your account has been freezed. Please contact support for more details.').waitFor();
    expect((await stored())?.token).toBeFalsy();
  });

  /** What the page keeps for the session, in the order in which it keeps it: sign-up takes it out again. */
  async function watchKept(): Promise<() => Promise<string[]>> {
    await page.addInitScript(() => {
      const keep = Storage.prototype.setItem;
      const kept: string[] = [];
      Object.assign(window, { kept });
      Storage.prototype.setItem = function setItem(key: string, value: string) {
        if (this === sessionStorage) kept.push(`${key}=${value}`);
        keep.call(this, key, value);
      };
    });
    return () => page.evaluate(() => (window as unknown as { kept: string[] }).kept);
  }

  it('keeps the register flag and the email when it fails, and goes on at sign-up (A-oauth-wallet-02, A-oauth-wallet-03, A-oauth-wallet-17..19, T-routes-59, T-routes-63)', async () => {
    await openDevice();
    const kept = await watchKept();
    // Held, or the text is gone before it can be seen.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/sign-up[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/redirect#error=access_denied&email=carl%40example.test');
    await page.getByText('Redirecting please wait...', { exact: true }).waitFor();
    release();
    await page.waitForURL('**/signup');
    expect(await kept()).toEqual(expect.arrayContaining(['register=true', 'email=carl@example.test']));
    await page.getByText('carl@example.test').first().waitFor();
  });

  it('keeps them as well for who has no account here (A-oauth-wallet-17..19)', async () => {
    await openDevice();
    const kept = await watchKept();
    const answered = page.waitForResponse('**/api/v3/google-login');
    await signInAtProvider('dave');
    expect((await answered).status()).toBe(404);
    await page.waitForURL('**/signup');
    expect(await kept()).toEqual(expect.arrayContaining(['register=true', 'email=dave@example.test']));
    await page.getByText('dave@example.test').first().waitFor();
  });
});
