/** What the bundler's manifest says of the built client's files. */
import type { Manifest } from 'vite';

/** The key of a chunk, by the end of its source or by its own name. @throws where no file of the client has it */
export function chunkOf(manifest: Manifest, source: string): string {
  const found = Object.keys(manifest).find((key) => key.endsWith(source) || manifest[key]?.name === source);
  if (found === undefined) throw new Error(`No file of the client has ${source}`);
  return found;
}

/** A chunk with everything that it imports. */
export function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return [];
  seen.add(name);
  const own = [chunk.file, ...(chunk.css ?? [])];
  return [...own, ...(chunk.imports ?? []).flatMap((other) => filesOf(manifest, other, seen))];
}
