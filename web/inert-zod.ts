/**
 * What stands for zod in the built client. The contract's schemas give the client its types; in production it trusts
 * its own server and parses nothing, so the library (25 KB gzip, and the time to build every schema) stays at home.
 * Asking a schema to parse is a mistake, and says so.
 */
const PARSING = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode', 'encode']);

/** Whatever is read or called of it is itself again. */
const inert: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (PARSING.has(name)) throw new Error('The built client has no schemas: check the answer by hand');
    return inert;
  },
  apply: () => inert,
});

export const z = inert;
