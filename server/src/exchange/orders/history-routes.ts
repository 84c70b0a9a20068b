/** The histories' calls: lists, and the same as files. */
import { orderHistories, orderHistoryFile, tradeHistories, tradeHistoryFile } from '@cambist/contract/histories.ts';
import { type CallServer, Download, type Identity, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { OrderError } from './errors.ts';
import { firstRows, type Histories, listStride, type Pages } from './histories.ts';
import { csvText, FILE_STRIDE, FileSlots, fillColumns, orderColumns } from './history-files.ts';
import { orderRefusal } from './refusals.ts';

/** Files at a time, of all clients together. */
const MAXIMUM_FILES = 8;
const RETRY_SECONDS = 10;

/** Calls with access `holder` always carry one; this says so to the compiler. */
function clientOf(identity: Identity | undefined): number {
  if (identity === undefined) throw new Error('A client call was served without an identity');
  return identity.clientId;
}

const isError = <Row>(pages: Pages<Row> | OrderError): pages is OrderError => 'kind' in pages;

/** The slot is free before the last byte is sent, so that who asks again at once finds it so. */
async function* until(text: AsyncIterable<string>, ended: () => void): AsyncGenerator<string, void, void> {
  try {
    yield* text;
  } finally {
    ended();
  }
}

function noSlot(): Refusal {
  const text = say('An export is running already. Try again once it has ended.');
  return new Refusal(429, 'EXPORT_RUNNING', text, { 'retry-after': String(RETRY_SECONDS) });
}

export function serveHistories(calls: CallServer, histories: Histories): void {
  const slots = new FileSlots(MAXIMUM_FILES);

  /** The slot is taken first: what comes at the same moment finds it gone. */
  async function fileOf<Row>(
    client: number,
    name: string,
    columns: Parameters<typeof csvText<Row>>[0],
    open: () => Promise<Pages<Row> | OrderError>,
  ): Promise<Download | Refusal> {
    const release = slots.take(client);
    if (release === undefined) return noSlot();
    try {
      const pages = await open();
      if (!isError(pages)) return new Download(name, until(csvText(columns, pages), release), release);
      release();
      return orderRefusal(pages);
    } catch (error) {
      release();
      throw error;
    }
  }

  calls.serve(orderHistories, async ({ query, identity }) => {
    const pages = await histories.orders(clientOf(identity), query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { orders: await firstRows(pages, query.limit) };
  });
  calls.serve(tradeHistories, async ({ query, identity }) => {
    const pages = await histories.fills(clientOf(identity), query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { trades: await firstRows(pages, query.limit) };
  });
  calls.serve(orderHistoryFile, ({ query, identity }) => {
    const client = clientOf(identity);
    return fileOf(client, 'cambist-orders.csv', orderColumns, () => histories.orders(client, query, FILE_STRIDE));
  });
  calls.serve(tradeHistoryFile, ({ query, identity }) => {
    const client = clientOf(identity);
    return fileOf(client, 'cambist-trades.csv', fillColumns, () => histories.fills(client, query, FILE_STRIDE));
  });
}
