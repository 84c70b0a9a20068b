/**
 * Looks texts up by their English. The few rules that the screens need, and not a library, because these lines are
 * fetched before anything can be shown: the library weighed a tenth of all that the first page loads.
 */
export type Texts = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;

const shelves = new Map<string, Map<string, string>>();
const plurals = new Map<string, Intl.PluralRules>();

/** @param tag BCP 47 */
export function addTexts(tag: string, texts: Texts): void {
  const shelf = shelves.get(tag) ?? new Map<string, string>();
  shelves.set(tag, shelf);
  for (const [key, text] of Object.entries(texts)) shelf.set(key, text);
}

function pluralOf(tag: string, count: number): string {
  const rules = plurals.get(tag) ?? new Intl.PluralRules(tag);
  plurals.set(tag, rules);
  return rules.select(count);
}

/** The keys that may hold the text, the most particular first: `Open_price_one`, `Open_price`, `Open_one`, `Open`. */
function keysOf(tag: string, text: string, { context, count }: Values): string[] {
  const bases = context === undefined ? [text] : [`${text}_${context}`, text];
  if (typeof count !== 'number') return bases;
  return bases.flatMap((base) => [`${base}_${pluralOf(tag, count)}`, `${base}_other`, base]);
}

function find(tag: string, text: string, values: Values): string | undefined {
  const shelf = shelves.get(tag);
  const key = shelf && keysOf(tag, text, values).find((candidate) => shelf.has(candidate));
  return key === undefined ? undefined : shelf?.get(key);
}

/** In the language of the tag; in English where it has none. `{{name}}` becomes the value of that name. */
export function translate(tag: string, text: string, values: Values = {}): string {
  const found = find(tag, text, values) ?? find('en', text, values) ?? text;
  return found.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}
