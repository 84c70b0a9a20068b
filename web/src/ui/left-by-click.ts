import type { MouseEvent } from 'react';

/**
 * What lies over the page is left by a click beside it, but not by the second one of a double click, whose first has
 * opened it. @param isLeft whether it is by any
 */
export const leftByClick = (onClose: () => void, isLeft = true) => ({
  closeOnClickOutside: false,
  overlayProps: {
    onClick: ({ detail }: MouseEvent) => {
      if (isLeft && detail < 2) onClose();
    },
  },
});
