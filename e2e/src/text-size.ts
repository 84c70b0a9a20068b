/** The text size that a person has set in the browser, and what can be read at it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectFits } from './browser.ts';

export const USUAL_PX = 16;
/** Of the smallest text at the usual size, that of badges. */
const SMALLEST_PX = 10;

/** As in the browser's settings: what is in rem, and breakpoints in em, follow it. A new page begins with the usual size. */
export async function setTextSize(page: Page, px: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
  await session.detach();
}

/**
 * Everything is in the window, has grown with the text size, and can be read. Asked until it holds: a screen is laid out
 * anew in the frames after its size has changed.
 */
export async function expectReadable(page: Page, px: number, about: string): Promise<void> {
  await expectFits(page, about);
  const smallest = (SMALLEST_PX * px) / USUAL_PX;
  const complaints = async () => [...(await page.evaluate(smallTexts, smallest)), ...(await page.evaluate(cutTexts))];
  await expect.poll(complaints, { message: about }).toEqual([]);
  await expect.poll(() => page.evaluate(overlaps), { message: about }).toEqual([]);
}

/** In the page: texts that are smaller than the smallest. */
function smallTexts(smallestPx: number): string[] {
  const found = new Set<string>();
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const hasText = Array.from(element.childNodes).some((node) => node instanceof Text && node.data.trim());
    if (!hasText || element.closest('.visually-hidden, script, style, noscript')) continue;
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    // Text of no size is only read out.
    if (size > 0 && size < smallestPx - 0.01) found.add(`${size} px: ${element.textContent.trim().slice(0, 40)}`);
  }
  return [...found];
}

/**
 * In the page: texts of which a part is cut off by a box that cannot be scrolled and ends them with no ellipsis, and those
 * that stand out of their own button, cell or item. A text of which nothing is seen is hidden on purpose.
 */
function cutTexts(): string[] {
  const hides = (value: string) => value === 'hidden' || value === 'clip';
  const scrolls = (value: string) => value === 'auto' || value === 'scroll';
  const fateOf = (parent: Element, words: DOMRect) => {
    for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, opacity } = getComputedStyle(box);
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || opacity === '0') return 'meant';
      if (scrolls(overflowX) || scrolls(overflowY)) return 'whole';
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const isSeen = words.left < right && words.right > left && words.top < bottom && words.bottom > top;
      if ((hides(overflowX) || hides(overflowY)) && !isSeen) return 'meant';
      if (hides(overflowX) && (words.right > right + 2 || words.left < left - 2)) return 'cut';
      // A line box is higher than its letters.
      if (hides(overflowY) && (words.bottom > bottom + 5 || words.top < top - 5)) return 'cut';
    }
    return 'whole';
  };
  const standsOut = (parent: Element, words: DOMRect): boolean => {
    const box = parent.closest('button, td, th, dd, dt, li, label, a');
    if (!box || getComputedStyle(box).display === 'inline') return false;
    const { left, right, top, bottom, width } = box.getBoundingClientRect();
    const isBeside = words.right > right + 2 || words.left < left - 2;
    return width > 1 && (isBeside || words.bottom > bottom + 4 || words.top < top - 4);
  };
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!text.textContent?.trim() || !parent?.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest('.visually-hidden, script, style, noscript, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const words = range.getBoundingClientRect();
    if (words.width < 2) continue;
    const fate = fateOf(parent, words);
    if (fate === 'cut' || (fate === 'whole' && standsOut(parent, words))) {
      found.add(text.textContent.trim().slice(0, 60));
    }
  }
  return [...found];
}

/** In the page: two texts in view, one over the other. */
function overlaps(): string[] {
  const lines: { parent: Element; box: DOMRect; words: string }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    const words = text.textContent?.trim() ?? '';
    if (!words || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest('.visually-hidden, script, style, noscript, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.width < 4) continue;
      // What lies under a bar or a column that stays in view is not seen.
      const isOnTop = [box.left + 1, box.left + box.width / 2, box.right - 1].every((x) => {
        const above = document.elementFromPoint(x, box.top + box.height / 2);
        return above?.contains(parent) || parent.contains(above);
      });
      if (isOnTop) lines.push({ parent, box, words });
    }
  }
  const found = new Set<string>();
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (one.parent === other.parent) continue;
      const [a, b] = [one.box, other.box];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Line boxes of neighbours touch; letters that share a third of their height do not read.
      if (across > 3 && down > 0.35 * Math.min(a.height, b.height)) found.add(`${one.words} / ${other.words}`);
    }
  }
  return [...found];
}
