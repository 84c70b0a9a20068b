import type { MouseEvent } from 'react';
import { expect, it, vi } from 'vitest';
import { leftByClick } from './left-by-click.ts';

it('leaves by a click, but not by the second one of a double click', () => {
  const onClose = vi.fn<() => void>();
  const { onClick } = leftByClick(onClose).overlayProps;
  onClick({ detail: 2 } as MouseEvent);
  expect(onClose).not.toHaveBeenCalled();
  onClick({ detail: 1 } as MouseEvent);
  expect(onClose).toHaveBeenCalledOnce();
});

it('is not left by a click where that is not wanted', () => {
  const onClose = vi.fn<() => void>();
  leftByClick(onClose, false).overlayProps.onClick({ detail: 1 } as MouseEvent);
  expect(onClose).not.toHaveBeenCalled();
});
