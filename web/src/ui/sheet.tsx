/** What comes over the page from one of its sides. As `Dialog`, it gives the focus back. */
import { Drawer, type DrawerProps } from '@mantine/core';
import { FocusReturn } from './focus-return.tsx';
import { leftByClick } from './left-by-click.ts';

export function Sheet(
  props: Omit<DrawerProps, 'returnFocus' | 'closeOnClickOutside' | 'closeOnEscape' | 'overlayProps'>,
) {
  return (
    <>
      {props.opened && <FocusReturn onEscape={props.onClose} />}
      <Drawer returnFocus={false} closeOnEscape={false} {...leftByClick(props.onClose)} {...props} />
    </>
  );
}
