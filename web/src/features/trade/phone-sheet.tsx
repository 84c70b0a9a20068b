/** The order form of a phone, from below, with the book beside it. Loaded when it is opened. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { CompactBook } from './book/compact-book.tsx';
import classes from './terminal.module.css';
import { OrderTickets } from './ticket/order-tickets.tsx';
import { useShownSide } from './ticket/shown-side.ts';
import { SideChoice } from './ticket/side-choice.tsx';
import { takePrice } from './ticket/use-ticket.ts';

export default function PhoneSheet({ pair }: { readonly pair: CoinPair }) {
  const { side, opened, close } = useShownSide();
  return (
    <Sheet
      opened={opened}
      onClose={close}
      position="bottom"
      size="auto"
      title={<SideChoice />}
      classNames={{
        header: classes.sheetHeader ?? '',
        body: classes.sheet ?? '',
        content: classes.sheetContent ?? '',
      }}
    >
      <OrderTickets pair={pair} sides={[side]} beside={<CompactBook pair={pair} onPrice={takePrice} />} />
    </Sheet>
  );
}
