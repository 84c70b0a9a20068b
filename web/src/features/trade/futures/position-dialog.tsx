/** The dialog of a position that was asked for; it closes with its position. Loaded when the first one is. */
import { useFutures } from '../../../lib/futures/positions.ts';
import { CloseDialog, ReverseDialog } from './close-dialog.tsx';
import { ExitsDialog } from './exits-dialog.tsx';
import { MarginDialog } from './margin-dialog.tsx';
import { type PositionDialog, usePositionDialogs } from './position-dialogs.ts';

const DIALOGS: Readonly<Record<PositionDialog, typeof CloseDialog>> = {
  close: CloseDialog,
  reverse: ReverseDialog,
  margin: MarginDialog,
  exits: ExitsDialog,
};

export default function OpenedDialog() {
  const { open, id, close } = usePositionDialogs();
  const position = useFutures().live?.positions.find((one) => one.id === id);
  if (!open || !position) return null;
  const Dialog = DIALOGS[open];
  return <Dialog key={`${open}${id}`} position={position} onClose={close} />;
}
