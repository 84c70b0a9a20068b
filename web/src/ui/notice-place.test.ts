import { describe, expect, test } from 'vitest';
import { type Box, NOTICE_GAP_PX, noticeBottom } from './notice-place.ts';

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });
const HEIGHT = 900;
const STACK = { left: 16, width: 340, height: 240 };

function covers(kept: Box, bottom: number, { left, width, height } = STACK): boolean {
  const lower = HEIGHT - bottom;
  return left < kept.right && left + width > kept.left && lower - height < kept.bottom && lower > kept.top;
}

describe('the place of notices', () => {
  test('is the lower left where nothing is in the way', () => {
    expect(noticeBottom(HEIGHT, STACK, [])).toBe(NOTICE_GAP_PX);
    expect(noticeBottom(HEIGHT, STACK, [box(500, 100, 900, 880)])).toBe(NOTICE_GAP_PX);
  });

  test('is above the order form, wherever the panels put it', () => {
    for (const ticket of [box(0, 500, 1000, 780), box(0, 640, 400, 900), box(300, 400, 700, 820)])
      expect(covers(ticket, noticeBottom(HEIGHT, STACK, [ticket]))).toBe(false);
  });

  test('stays below a form that leaves room for it', () => {
    expect(noticeBottom(HEIGHT, STACK, [box(0, 200, 1000, 600)])).toBe(NOTICE_GAP_PX);
  });

  test('clears the order buttons of a phone, and the sheet over them', () => {
    const stack = { left: 16, width: 340, height: 60 };
    const footer = box(0, 838, 390, 900);
    expect(noticeBottom(HEIGHT, stack, [footer])).toBeGreaterThanOrEqual(62);
    const sheet = box(0, 72, 390, 900);
    expect(covers(sheet, noticeBottom(HEIGHT, stack, [footer, sheet]), stack)).toBe(false);
  });

  test('is where least is covered when no place is free, and never beyond the screen', () => {
    const sheet = box(0, 72, 390, 900);
    expect(noticeBottom(HEIGHT, STACK, [sheet])).toBe(HEIGHT - STACK.height);
    expect(noticeBottom(200, STACK, [sheet])).toBe(0);
  });

  test('ignores what is scrolled away', () => {
    expect(noticeBottom(HEIGHT, STACK, [box(0, 901, 390, 1_200), box(0, -300, 390, -10)])).toBe(NOTICE_GAP_PX);
  });
});
