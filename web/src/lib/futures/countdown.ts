const SECOND_MS = 1_000;
const two = (value: number) => String(value).padStart(2, '0');

/** `07:59:30`. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / SECOND_MS));
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
}
