/**
 * What asks or shows something over the page. Mantine's own gives the focus back only if it was there before it was
 * opened, and most of ours are there only while they are open; and its Escape closes all that are open.
 */
import { Modal, type ModalProps } from '@mantine/core';
import { FocusReturn } from './focus-return.tsx';
import { leftByClick } from './left-by-click.ts';

type DialogProps = Omit<ModalProps, 'opened' | 'returnFocus' | 'overlayProps'> & {
  /** If it is there while it is closed. */
  readonly opened?: boolean;
  /** To the step before; the step itself keeps what was typed. */
  readonly onBack?: (() => void) | undefined;
};

export function Dialog({ opened = true, closeOnClickOutside, closeOnEscape = true, onBack, ...props }: DialogProps) {
  return (
    <>
      {opened && <FocusReturn onEscape={closeOnEscape ? props.onClose : undefined} onBack={onBack} />}
      <Modal
        opened={opened}
        returnFocus={false}
        closeOnEscape={false}
        {...leftByClick(props.onClose, closeOnClickOutside)}
        {...props}
      />
    </>
  );
}
