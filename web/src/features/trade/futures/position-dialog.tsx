/** The dialog of a position that was asked for; it closes with its position. Loaded when the first one is. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
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
  const { open, symbol, close } = usePositionDialogs();
  const isOf = ({ coin_pair: { pair_name: name } }: FuturesPosition) => name === symbol;
  const position = useFutures().live?.positions.find(isOf);
  if (!open || !position) return null;
  const Dialog = DIALOGS[open];
  return <Dialog key={`${open}${symbol}`} position={position} onClose={close} />;
}
