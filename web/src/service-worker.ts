/**
 * Keeps the shell on the device, so that the app starts without a connection and says so. Answers of the exchange are
 * never kept: a figure is either of now or not shown. A new release waits until the windows of the old one are closed.
 */
/// <reference lib="webworker" />

/** Put in by the build: the files of the shell, and a name that changes with any of them. */
declare const SHELL: { readonly name: string; readonly files: readonly string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const PAGE = '/index.html';
const { name: shell, files } = SHELL;
/** Calls, streams and what describes them belong to the server alone. */
const NEVER = /^\/(api|ws|docs|icons|healthz|readyz|metrics)(\/|$)/;

/** What has a hash in its name may come from the browser's own cache; everything else is asked for anew. */
const fresh = (path: string) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' });

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(files.map(fresh))));
});

worker.addEventListener('activate', (event) => {
  const forget = async () => {
    for (const key of await caches.keys()) if (key !== shell) await caches.delete(key);
  };
  event.waitUntil(forget());
});

/** The network's page where there is one; the shell's own without. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

/** A storage that is full or forbidden only means that the file is fetched again. */
async function keep(request: Request, answer: Response): Promise<void> {
  try {
    await (await caches.open(shell)).put(request, answer);
  } catch (error) {
    console.error('A file could not be kept on the device', error);
  }
}

/** Files with a hash in their name never change: what is here is right, and what is fetched may be kept. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(request, answer.clone());
  return answer;
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin || NEVER.test(url.pathname)) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/') || files.includes(url.pathname)) event.respondWith(file(request));
});

// The person has read the announcement and does not want to wait.
worker.addEventListener('message', (event) => {
  if (event.data === 'take-over') void worker.skipWaiting();
});
