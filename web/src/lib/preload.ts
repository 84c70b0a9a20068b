/**
 * What the build puts around every `import()`: the files of a part are asked for together, and the part runs when its
 * style sheets are there. It stands in for the bundler's own, which is three times as long; `persist.ts` asks again for
 * what did not come.
 */
const asked = new Map<string, Promise<unknown> | undefined>();

function ask(file: string): Promise<unknown> | undefined {
  const href = `/${file}`;
  if (asked.has(file) || document.querySelector(`link[href="${href}"]`)) return asked.get(file);
  const link = document.createElement('link');
  const isStyle = file.endsWith('.css');
  link.rel = isStyle ? 'stylesheet' : 'modulepreload';
  link.crossOrigin = '';
  link.href = href;
  const answer = isStyle
    ? new Promise((resolve, reject) => {
        link.onload = resolve;
        link.onerror = () => {
          asked.delete(file);
          reject(new TypeError(`The style sheet ${href} could not be loaded`));
        };
      })
    : undefined;
  asked.set(file, answer);
  document.head.append(link);
  return answer;
}

/** @param files paths below the root, as the build names them */
export async function preload<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map(ask));
  return load();
}
