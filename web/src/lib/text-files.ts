/** The texts of all screens but the first; the list of them alone is long. */
import type { Texts } from './texts.ts';

export const files = import.meta.glob<Texts>(['../locales/*/*.json', '!../locales/{shell,home}/*.json'], {
  import: 'default',
});
