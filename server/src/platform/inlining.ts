/** How far the compiler goes when it puts small functions into the one that calls them. */
import { setFlagsFromString } from 'node:v8';

/**
 * Bytecode that one function may take in, in bytes; V8's own bound is 920. A command goes through some thirty small functions, and
 * those beyond the bound are called, with an object for each int64 that they take or answer. Of the process; comes before the
 * functions are hot.
 */
const MOST_INLINED = 4_000;

export function allowInlining(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${MOST_INLINED}`);
}
