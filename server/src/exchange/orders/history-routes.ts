/** The histories' calls: lists, and the same as files. */
import { orderHistories, orderHistoryFile, tradeHistories, tradeHistoryFile } from '@cambist/contract/histories.ts';
import type { CallServer, Refusal } from '../../platform/calls.ts';
import type { FileSender, Pages } from '../../platform/files.ts';
import type { OrderError } from './errors.ts';
import { firstRows, type Histories, listStride } from './histories.ts';
import { FILE_STRIDE, fillColumns, orderColumns } from './history-files.ts';
import { orderRefusal } from './refusals.ts';

export const isError = <Row>(pages: Pages<Row> | OrderError): pages is OrderError => 'kind' in pages;

export const orRefusal = <Row>(pages: Pages<Row> | OrderError): Pages<Row> | Refusal =>
  isError(pages) ? orderRefusal(pages) : pages;

export function serveHistories(calls: CallServer, histories: Histories, sendFile: FileSender): void {
  calls.serve(orderHistories, async ({ query, identity }) => {
    const pages = await histories.orders(identity.clientId, query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { orders: await firstRows(pages, query.limit) };
  });
  calls.serve(tradeHistories, async ({ query, identity }) => {
    const pages = await histories.fills(identity.clientId, query, listStride(query.limit));
    return isError(pages) ? orderRefusal(pages) : { trades: await firstRows(pages, query.limit) };
  });
  calls.serve(orderHistoryFile, (request) => {
    const { identity, query } = request;
    const open = async () => orRefusal(await histories.orders(identity.clientId, query, FILE_STRIDE));
    return sendFile(calls, orderHistoryFile, request, { name: 'cambist-orders.csv', columns: orderColumns, open });
  });
  calls.serve(tradeHistoryFile, (request) => {
    const { identity, query } = request;
    const open = async () => orRefusal(await histories.fills(identity.clientId, query, FILE_STRIDE));
    return sendFile(calls, tradeHistoryFile, request, { name: 'cambist-trades.csv', columns: fillColumns, open });
  });
}
