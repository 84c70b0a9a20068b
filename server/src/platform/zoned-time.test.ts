import { expect, it } from 'vitest';
import { isZone, ZonedTime } from './zoned-time.ts';

it('a time has the offset that its zone has then', () => {
  const berlin = new ZonedTime('Europe/Berlin');
  expect(berlin.text(Date.UTC(2026, 0, 5, 10, 30, 1, 999))).toBe('2026-01-05 11:30:01 +0100');
  expect(berlin.text(Date.UTC(2026, 6, 5, 22, 30))).toBe('2026-07-06 00:30:00 +0200');
  expect(new ZonedTime('UTC').text(Date.UTC(2026, 0, 5))).toBe('2026-01-05 00:00:00 UTC');
  expect(new ZonedTime('America/St_Johns').text(Date.UTC(2026, 0, 5))).toBe('2026-01-04 20:30:00 -0330');
});

it('a year begins at midnight there', () => {
  for (const [zone, hours] of [
    ['UTC', 0],
    ['Europe/Berlin', -1],
    ['Asia/Tokyo', -9],
    ['America/New_York', 5],
    ['Pacific/Kiritimati', -14],
  ] as const)
    expect(new ZonedTime(zone).yearStart(2026), zone).toBe(Date.UTC(2026, 0, 1, hours));
});

it('a zone is one of the database', () => {
  expect([isZone('Asia/Kolkata'), isZone('Mars/Olympus'), isZone('')]).toEqual([true, false, false]);
});
