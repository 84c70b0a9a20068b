/** Of an address or a transaction what the eye compares: its beginning and its end. */
const ENDS = 8;

export const endsOf = (text: string): string =>
  text.length > 2 * ENDS + 1 ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text;
