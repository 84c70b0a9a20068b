/**
 * What the bundler may leave out where nothing uses what it answers. It goes by the name alone, whatever has it, and by all that
 * is called on it: so nothing else in the page may be called by one of these names for what it does (`scripts/tidy.test.ts`).
 */
export const PURE = [
  'z',
  'defineCall',
  'sectionsWith',
  'anyOf',
  'localized',
  'queryOptions',
  'lazy',
  'lazyPart',
  'themedPart',
] as const;
