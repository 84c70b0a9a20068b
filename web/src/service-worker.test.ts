/** The worker that keeps the shell on the device, on a device that keeps nothing. */
import { afterEach, expect, test, vi } from 'vitest';

type Listener = (event: { request: object; respondWith(answer: Promise<Response>): void }) => void;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function started(caches: object): Promise<Listener> {
  const listeners = new Map<string, Listener>();
  const addEventListener = (name: string, listener: Listener) => void listeners.set(name, listener);
  vi.stubGlobal('self', { addEventListener, location: { origin: 'https://exchange.example' } });
  vi.stubGlobal('SHELL', { name: 'shell-1', files: ['/index.html'] });
  vi.stubGlobal('caches', caches);
  // By its address: it is a script and no module.
  await import(new URL('./service-worker.ts', import.meta.url).href);
  return listeners.get('fetch') as Listener;
}

const full = () => Promise.reject(new DOMException('The quota has been exceeded', 'QuotaExceededError'));
const forbidden = () => Promise.reject(new DOMException('Denied', 'SecurityError'));

test.each([
  ['full', { match: async () => undefined, open: async () => ({ put: full }) }],
  ['forbidden', { match: forbidden, open: forbidden }],
])('a file of the program comes although the storage is %s', async (_, caches) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async () => new Response('part'));
  const onFetch = await started(caches);
  const request = { method: 'GET', url: 'https://exchange.example/assets/part-1.js', mode: 'cors' };
  const answer = Promise.withResolvers<Response>();
  onFetch({ request, respondWith: answer.resolve });
  expect(await (await answer.promise).text()).toBe('part');
  logged.mockRestore();
});
