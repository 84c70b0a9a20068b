/** The live book of one pair, published a few times a second. */
import { useEffect, useState } from 'react';
import { publicStream } from '../../../lib/streams.ts';
import { applyBook, type BookPush, type BookState, EMPTY_BOOK } from './book-state.ts';

/** Fast enough to feel live, slow enough to be read. */
const PUBLISH_EVERY_MS = 150;

interface LiveBook {
  readonly symbol: string;
  readonly book: BookState;
}

/** Undefined until the first snapshot. */
export function useBook(symbol: string, priceScale: number, quantityScale: number): BookState | undefined {
  const [live, setLive] = useState<LiveBook>();
  useEffect(() => {
    const scales = { price: priceScale, quantity: quantityScale };
    let book = EMPTY_BOOK;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const publish = () => {
      timer = undefined;
      setLive({ symbol, book });
    };
    const leave = publicStream.subscribe<BookPush>(
      { channel: 'books', instId: symbol },
      {
        onPush: (push) => {
          for (const change of push.data) book = applyBook(book, change, push.action !== 'update', scales);
          if (timer === undefined) timer = setTimeout(publish, PUBLISH_EVERY_MS);
        },
      },
    );
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [symbol, priceScale, quantityScale]);
  return live?.symbol === symbol ? live.book : undefined;
}
