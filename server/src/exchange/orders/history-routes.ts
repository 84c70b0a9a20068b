/** The histories' calls: lists, and the same as files. */
import { orderHistories, orderHistoryFile, tradeHistories, tradeHistoryFile } from '@cambist/contract/histories.ts';
import { type CallRequest, type CallServer, Download, identityOf, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { OrderError } from './errors.ts';
import { firstRows, type Histories, listStride, type Pages } from './histories.ts';
import { csvText, FILE_STRIDE, FileSlots, fillColumns, guardedText, orderColumns } from './history-files.ts';
import { orderRefusal } from './refusals.ts';

/** Files at a time, of all clients together. */
const MAXIMUM_FILES = 8;
const RETRY_SECONDS = 10;

type FileCall = typeof orderHistoryFile | typeof tradeHistoryFile;

const isError = <Row>(pages: Pages<Row> | OrderError): pages is OrderError => 'kind' in pages;

function noSlot(): Refusal {
  const text = say('An export is running already. Try again once it has ended.');
  return new Refusal(429, 'EXPORT_RUNNING', text, { 'retry-after': String(RETRY_SECONDS) });
}

export function serveHistories(calls: CallServer, histories: Histories): void {
  const slots = new FileSlots(MAXIMUM_FILES);

  /** The slot is taken first: what comes at the same moment finds it gone. */
  async function fileOf<Row>(
    call: FileCall,
    { identity, http }: Pick<CallRequest<FileCall>, 'identity' | 'http'>,
    name: string,
    columns: Parameters<typeof csvText<Row>>[0],
    open: () => Promise<Pages<Row> | OrderError>,
  ): Promise<Download | Refusal> {
    const client = identityOf(identity).clientId;
    const release = slots.take(client);
    if (release === undefined) return noSlot();
    const token = http.headers.authorization?.slice('Bearer '.length) ?? '';
    const isAdmitted = async () => !((await calls.admit(call, token)) instanceof Refusal);
    try {
      const pages = await open();
      if (!isError(pages))
        return new Download(name, guardedText(csvText(columns, pages), isAdmitted, release), release);
      release();
      return orderRefusal(pages);
    } catch (error) {
      release();
      throw error;
    }
  }

  calls.serve(orderHistories, async ({ query, identity }) => {
    const pages = await histories.orders(identityOf(identity).clientId, query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { orders: await firstRows(pages, query.limit) };
  });
  calls.serve(tradeHistories, async ({ query, identity }) => {
    const pages = await histories.fills(identityOf(identity).clientId, query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { trades: await firstRows(pages, query.limit) };
  });
  calls.serve(orderHistoryFile, (request) => {
    const open = () => histories.orders(identityOf(request.identity).clientId, request.query, FILE_STRIDE);
    return fileOf(orderHistoryFile, request, 'cambist-orders.csv', orderColumns, open);
  });
  calls.serve(tradeHistoryFile, (request) => {
    const open = () => histories.fills(identityOf(request.identity).clientId, request.query, FILE_STRIDE);
    return fileOf(tradeHistoryFile, request, 'cambist-trades.csv', fillColumns, open);
  });
}
