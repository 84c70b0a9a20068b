/** Moments as the browser's own field for date and time holds them: `2026-03-01T09:30`, in the person's time zone. */
const two = (value: number): string => String(value).padStart(2, '0');

/** @param ms since 1970, to the minute; null is an empty field */
export function toLocalField(ms: number | null): string {
  if (ms === null) return '';
  const at = new Date(ms);
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** @returns ms since 1970; null for an empty field */
export function fromLocalField(text: string): number | null {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? null : ms;
}
