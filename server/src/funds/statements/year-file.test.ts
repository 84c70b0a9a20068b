/** Rows of a year's file by example: what Koinly adds up must be what the wallets have. */
import { BTC_PERPETUAL, BTC_USDT } from '@cambist/core/simulation/markets.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { expect, it } from 'vitest';
import type { FillRow } from '../../exchange/orders/service.ts';
import { csvLine } from '../../platform/csv.ts';
import type { Entry } from './walk.ts';
import { rowOfEntry, rowOfFill, type TaxRow, taxColumns } from './year-file.ts';

const { quote: USDT } = BTC_USDT;
const fill = (terms: Partial<FillRow>) =>
  ({
    ...{ id: 7, time: 0, taker: true, taker_side: BUY, price: 640_000, quantity: 100_000 },
    ...{ taker_fee: 100_000n, maker_fee: 64_000n },
    ...terms,
  }) as FillRow;
const entry = (terms: Partial<Entry>) =>
  ({ id: 'm1', time: 0, market: undefined, reference: 9, fee: 0n, ...terms }) as Entry;
const line = (row: TaxRow | undefined, separator = ',', decimalSign = '.') =>
  csvLine(
    taxColumns({ timeText: String, decimalSign }).map(({ value }) => value(row!)),
    separator,
  ).trim();
const ofEntry = (terms: Partial<Entry>) => rowOfEntry(entry(terms), USDT, () => BTC_PERPETUAL.symbol);

it('a trade says what was sent, what was received before the fee, and the fee in the coin that was received', () => {
  expect(line(rowOfFill(fill({}), BTC_USDT))).toBe(
    '0,64000.000000,USDT,1.00000000,BTC,0.00100000,BTC,,,,Trade 7 BTC-USDT,',
  );
  expect(line(rowOfFill(fill({ taker: false, taker_side: BUY }), BTC_USDT))).toBe(
    '0,1.00000000,BTC,64000.000000,USDT,0.064000,USDT,,,,Trade 7 BTC-USDT,',
  );
  expect(rowOfFill(fill({ taker_side: SELL, taker_fee: 0n }), BTC_USDT).fee).toBeUndefined();
});

it('what comes and what leaves is received or sent, and own transfers are left out', () => {
  expect(line(ofEntry({ cause: 'deposit', amount: 5_000_000n }))).toBe('0,,,5.000000,USDT,,,,,,Deposit 9,');
  expect(line(ofEntry({ cause: 'internal-withdrawal', amount: -5_000_000n }))).toBe(
    '0,5.000000,USDT,,,,,,,,To another client 9,',
  );
  expect(ofEntry({ cause: 'wallet-transfer', amount: -5_000_000n })).toBeUndefined();
});

it('a position has its gain before the fee, and a fee alone is a cost', () => {
  const trade = { cause: 'position-trade', market: BTC_PERPETUAL.id } as const;
  expect(line(ofEntry({ ...trade, amount: 9_000_000n, fee: 1_000_000n }))).toMatch(
    /^0,,,10\.000000,USDT,1\.000000,USDT,,,realized gain,position trade BTC-USDT-SWAP,$/,
  );
  expect(line(ofEntry({ ...trade, amount: -6_000_000n, fee: 1_000_000n }))).toMatch(
    /^0,5\.000000,USDT,,,1\.000000,USDT/,
  );
  expect(line(ofEntry({ ...trade, amount: -1_000_000n, fee: 1_000_000n }))).toMatch(/^0,1\.000000,USDT,,,,,,,cost,/);
});

it('separator and decimal sign are those that were chosen', () => {
  const row = rowOfFill(fill({}), BTC_USDT);
  expect(line(row, ';', ',')).toMatch(/^0;64000,000000;USDT;1,00000000;BTC;0,00100000;BTC;/);
  expect(line(row, ',', ',')).toMatch(/^0,"64000,000000",USDT,/);
  expect(line({ ...row, description: '=1+1' }, '\t')).toMatch(/'=1\+1$/);
});
