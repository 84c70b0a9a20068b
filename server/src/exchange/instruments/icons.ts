/**
 * Icons of coins: `server/icons/<CODE>.svg`, from an open icon set, or letters on a colour for a coin that has none.
 * They are files here because the set has 18,000 files, half of what a first start would have to install.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../icons');

const known: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.svg'))
    .map((file) => [parse(file).name, readFileSync(join(FOLDER, file), 'utf8')]),
);

/** A colour that a code always gets. */
function hueOf(code: string): number {
  let hash = 0;
  for (const character of code) hash = (hash * 31 + character.charCodeAt(0)) % 360;
  return hash;
}

function drawn(code: string): string {
  const letters = code.slice(0, code.length > 3 ? 1 : 3);
  const size = letters.length > 1 ? 8 : 12;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">` +
    `<path fill="hsl(${hueOf(code)} 55% 42%)" d="M0 0h24v24H0z"/>` +
    `<text x="12" y="12" dy=".36em" fill="#fff" font-family="sans-serif" font-size="${size}" font-weight="700" ` +
    `text-anchor="middle">${letters}</text></svg>`
  );
}

/** @param code upper case letters and digits only; it is written into the drawing */
export const iconOf = (code: string): string => known.get(code) ?? drawn(code);

export const iconPath = (code: string): string => `/icons/${code.toLowerCase()}.svg`;
