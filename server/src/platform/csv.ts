/** Lines of CSV (RFC 4180) that a spreadsheet shows as they are. */

/** What a spreadsheet would calculate; a plain number is none. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /["\r\n]/;

function cell(value: string | number, separator: string): string {
  const plain = String(value);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(cells: readonly (string | number)[], separator = ','): string {
  return `${cells.map((one) => cell(one, separator)).join(separator)}\r\n`;
}

/** ISO 8601 in UTC with milliseconds, whatever the reader's zone. */
export const csvTime = (ms: number): string => new Date(ms).toISOString();
