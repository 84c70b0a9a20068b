/** Lines of CSV (RFC 4180) that a spreadsheet shows as they are. */

/** What a spreadsheet would calculate; a plain number is none. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

function cell(value: string | number): string {
  const plain = String(value);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** ISO 8601 in UTC with milliseconds, whatever the reader's zone. */
export const csvTime = (ms: number): string => new Date(ms).toISOString();
