/**
 * What asks or shows something over the page. Mantine's own gives the focus back only if it was there before it was
 * opened; most of ours are there only while they are open.
 */
import { Modal, type ModalProps } from '@mantine/core';
import type { MouseEvent } from 'react';
import { FocusReturn } from './focus-return.tsx';

type DialogProps = Omit<ModalProps, 'opened' | 'returnFocus'> & {
  /** If it is there while it is closed. */
  readonly opened?: boolean;
};

export function Dialog({ opened = true, closeOnClickOutside = true, onClose, ...props }: DialogProps) {
  // The second click of a double click, whose first has opened the dialog, falls beside it.
  const leave = ({ detail }: MouseEvent) => {
    if (closeOnClickOutside && detail < 2) onClose();
  };
  return (
    <>
      {opened && <FocusReturn />}
      <Modal
        opened={opened}
        returnFocus={false}
        onClose={onClose}
        closeOnClickOutside={false}
        overlayProps={{ onClick: leave }}
        {...props}
      />
    </>
  );
}
