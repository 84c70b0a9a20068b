/** The calls of statements: a page, and the whole as a file. */
import {
  CSV_SEPARATORS,
  type StatementEntry,
  statement,
  statementFile,
  yearFile,
} from '@cambist/contract/statements.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { csvTime } from '../../platform/csv.ts';
import type { FileColumn, FileSender, Pages } from '../../platform/files.ts';
import { invalidField } from '../../platform/refusals.ts';
import { say } from '../../platform/texts.ts';
import { isZone, ZonedTime } from '../../platform/zoned-time.ts';
import type { Span, Statements } from './service.ts';
import { type TaxRow, taxColumns } from './year-file.ts';

const badPlace = new Refusal(422, 'INVALID_PLACE', 'Begin the statement anew: this page is of another one.');

const noCoin = (name: string) =>
  new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: name.toUpperCase() }));

/** Names and words are those of the call, for programs; they are not translated. */
const columns = (wallet: string, coin: string): readonly FileColumn<StatementEntry>[] => [
  { name: 'time', value: ({ time }) => csvTime(time) },
  { name: 'wallet', value: () => wallet },
  { name: 'coin', value: () => coin },
  { name: 'cause', value: ({ cause }) => cause },
  { name: 'pair', value: ({ pair }) => pair ?? '' },
  { name: 'reference', value: ({ reference }) => reference },
  { name: 'amount', value: ({ amount }) => amount },
  { name: 'fee', value: ({ fee }) => fee },
  { name: 'balance', value: ({ balance }) => balance },
  { name: 'id', value: ({ id }) => id },
];

const spanOf = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }): Span => ({
  from: from ?? 0,
  to: to ?? Number.POSITIVE_INFINITY,
});

export function serveStatements(
  calls: CallServer,
  statements: Statements,
  openYear: (owner: number, span: Span) => Promise<Pages<TaxRow>>,
  sendFile: FileSender,
): void {
  calls.serve(statement, async ({ identity, query }) => {
    const coin = query.coin.toUpperCase();
    const which = { owner: identity.clientId, wallet: query.wallet, coin };
    const page = await statements.page(which, spanOf(query), query.limit, query.before);
    if (page === undefined) return noCoin(coin);
    return page === 'bad-place' ? badPlace : page;
  });

  calls.serve(statementFile, (request) => {
    const { wallet } = request.query;
    const coin = request.query.coin.toUpperCase();
    const which = { owner: request.identity.clientId, wallet, coin };
    const open = async () => (await statements.file(which, spanOf(request.query))) ?? noCoin(coin);
    const name = `cambist-${wallet.toLowerCase()}-${coin.toLowerCase()}.csv`;
    return sendFile(calls, statementFile, request, { name, columns: columns(wallet, coin), open });
  });

  calls.serve(yearFile, (request) => {
    const { year, zone, separator, decimal_sign } = request.query;
    if (!isZone(zone)) return invalidField('zone', say('There is no time zone called {{name}}.', { name: zone }));
    const zoned = new ZonedTime(zone);
    const span = { from: zoned.yearStart(year), to: zoned.yearStart(year + 1) - 1 };
    const open = () => openYear(request.identity.clientId, span);
    const style = { timeText: (ms: number) => zoned.text(ms), decimalSign: decimal_sign === 'comma' ? ',' : '.' };
    const file = {
      name: `cambist-${year}.csv`,
      columns: taxColumns(style),
      separator: CSV_SEPARATORS[separator],
      open,
    };
    return sendFile(calls, yearFile, request, file);
  });
}
