/** Days that a list is narrowed to: of the reader's own calendar, both included. */

/** As date fields give them, `YYYY-MM-DD`; empty where there is no bound. */
export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

/** The first millisecond of a day, some days later; undefined for a day that is half typed. */
function dayStart(day: string, later = 0): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
}

/** From the beginning of the first day to the end of the last, which need not be 24 hours later. */
export function timesOf({ from, to }: DateSpan): { from?: number; to?: number } {
  const [first, end] = [dayStart(from), dayStart(to, 1)];
  return { ...(first === undefined ? {} : { from: first }), ...(end === undefined ? {} : { to: end - 1 }) };
}

export const isBackwards = (span: DateSpan): boolean => {
  const { from = 0, to = Number.POSITIVE_INFINITY } = timesOf(span);
  return from > to;
};

/** As calls take them. */
export function spanQuery(span: DateSpan): { from?: string; to?: string } {
  const { from, to } = timesOf(span);
  return { ...(from !== undefined && { from: String(from) }), ...(to !== undefined && { to: String(to) }) };
}
