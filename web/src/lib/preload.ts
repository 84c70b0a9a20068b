/**
 * What the build puts around every `import()`: the files of a part are fetched together, and the part runs when all of
 * them are there. A browser remembers for as long as the page is open that an `import()` or a preloaded script has failed,
 * so nothing is imported that has not come yet; `persist.ts` asks again for what did not.
 */
const asked = new Map<string, Promise<unknown> | undefined>();

/** The server has answered that it has no such file. */
export class NoSuchFile extends TypeError {}

function addLink(rel: string, href: string): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = rel;
  link.crossOrigin = '';
  link.href = href;
  document.head.append(link);
  return link;
}

function addStyle(href: string): Promise<unknown> {
  const link = addLink('stylesheet', href);
  link.dataset.part = '';
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      // One that stayed would count as there.
      link.remove();
      reject(new TypeError(`${href} could not be loaded`));
    };
  });
}

/** Into the browser's cache, where it stays as its name changes with what is in it; read from there with all others at once. */
async function fetchScript(href: string): Promise<unknown> {
  const answer = await fetch(href);
  if (!answer.ok) throw new (answer.status === 404 ? NoSuchFile : TypeError)(`${href} could not be loaded`);
  await answer.arrayBuffer();
  return addLink('modulepreload', href);
}

function ask(file: string): Promise<unknown> | undefined {
  const href = `/${file}`;
  // What the page preloads by itself may not have come either.
  if (asked.has(file) || document.querySelector(`link[href="${href}"]:not([rel=preload])`)) return asked.get(file);
  const answer = file.endsWith('.css') ? addStyle(href) : fetchScript(href);
  asked.set(file, answer);
  answer.catch(() => asked.delete(file));
  return answer;
}

/** Of a part that is one file alone the build lists none: its name stands in the import. */
const onlyFile = (load: () => unknown): string[] =>
  [/\.\/([\w.-]+\.js)/.exec(String(load))?.[1]].flatMap((name) => (name ? [`assets/${name}`] : []));

/** @param files paths below the root, as the build names them */
export async function preload<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all((files.length > 0 ? files : onlyFile(load)).map(ask));
  return load();
}
