/** The histories' calls: lists, and the same as files. */
import * as futures from '@cambist/contract/futures-histories.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { FileSender } from '../../platform/files.ts';
import { firstRows } from '../orders/histories.ts';
import { FILE_STRIDE } from '../orders/history-files.ts';
import { isError, orRefusal } from '../orders/history-routes.ts';
import { orderRefusal } from '../orders/refusals.ts';
import { closedColumns } from './closed-positions.ts';
import {
  changeColumns,
  type FuturesHistories,
  fundingColumns,
  liquidationColumns,
  wholeSettlements,
} from './histories.ts';

function serveLists(calls: CallServer, histories: FuturesHistories): void {
  calls.serve(futures.positionHistory, async ({ query, identity }) => {
    const pages = await histories.changes(identity.clientId, query, query.limit);
    return isError(pages) ? orderRefusal(pages) : { changes: await firstRows(pages, query.limit) };
  });
  calls.serve(futures.closedPositions, async ({ query, identity }) => {
    const pages = await histories.closed(identity.clientId, query, query.limit);
    return isError(pages) ? orderRefusal(pages) : { closed: await firstRows(pages, query.limit) };
  });
  calls.serve(futures.fundingHistory, async ({ query, identity }) => {
    const pages = await histories.funding(identity.clientId, query, query.limit);
    return isError(pages) ? orderRefusal(pages) : { funding: await wholeSettlements(pages, query.limit) };
  });
  calls.serve(futures.liquidationHistory, async ({ query, identity }) => {
    const pages = await histories.liquidations(identity.clientId, query, query.limit);
    return isError(pages) ? orderRefusal(pages) : { liquidations: await firstRows(pages, query.limit) };
  });
}

export function serveFuturesHistories(calls: CallServer, histories: FuturesHistories, sendFile: FileSender): void {
  serveLists(calls, histories);
  const { most } = FILE_STRIDE;
  calls.serve(futures.positionHistoryFile, (request) => {
    const { clientId } = request.identity;
    const open = async () => orRefusal(await histories.changes(clientId, request.query, most));
    const file = { name: 'cambist-positions.csv', columns: changeColumns, open };
    return sendFile(calls, futures.positionHistoryFile, request, file);
  });
  calls.serve(futures.closedPositionsFile, (request) => {
    const { clientId } = request.identity;
    const open = async () => orRefusal(await histories.closed(clientId, request.query, most));
    const file = { name: 'cambist-closed-positions.csv', columns: closedColumns, open };
    return sendFile(calls, futures.closedPositionsFile, request, file);
  });
  calls.serve(futures.fundingHistoryFile, (request) => {
    const { clientId } = request.identity;
    const open = async () => orRefusal(await histories.funding(clientId, request.query, most));
    const file = { name: 'cambist-funding.csv', columns: fundingColumns, open };
    return sendFile(calls, futures.fundingHistoryFile, request, file);
  });
  calls.serve(futures.liquidationHistoryFile, (request) => {
    const { clientId } = request.identity;
    const open = async () => orRefusal(await histories.liquidations(clientId, request.query, most));
    const file = { name: 'cambist-liquidations.csv', columns: liquidationColumns, open };
    return sendFile(calls, futures.liquidationHistoryFile, request, file);
  });
}
