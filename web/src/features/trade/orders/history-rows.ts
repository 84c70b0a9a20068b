/** Rows of a history that the page has had, so that what the stream pushes out of the newest ones is not lost to it. */
interface HasId {
  readonly id: string;
}

export interface Kept<Row extends HasId> {
  /** Newest first, without a gap. */
  readonly rows: readonly Row[];
  /** The row before which older ones were read; undefined until they are asked for. */
  readonly olderFrom: string | undefined;
}

export const NOTHING_KEPT = { rows: [], olderFrom: undefined } as const;

/** Each row once. */
export function newestFirst<Row extends HasId>(rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort((left, right) => Number(right.id) - Number(left.id));
}

/**
 * The rows with the newest as they are now. Where those no longer reach back to what was kept, there is a gap between
 * them, and everything is begun anew from the newest.
 * @param limit of the newest rows; fewer are all there are
 */
export function withNewest<Row extends HasId>(kept: Kept<Row>, newest: readonly Row[], limit: number): Kept<Row> {
  const known = new Set(kept.rows.map(({ id }) => id));
  const reachesBack = newest.length < limit || newest.some(({ id }) => known.has(id));
  if (kept.rows.length === 0 || !reachesBack) return { rows: newestFirst(newest), olderFrom: undefined };
  return { rows: newestFirst([...kept.rows, ...newest]), olderFrom: kept.olderFrom };
}
