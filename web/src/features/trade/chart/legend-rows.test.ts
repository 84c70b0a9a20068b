import { expect, test } from 'vitest';
import { legendName, legendValues } from './legend-rows.ts';

const MACD = {
  shortName: 'MACD',
  calcParams: [12, 26, 9],
  precision: 2,
  shouldFormatBigNumber: false,
  figures: [
    { key: 'dif', title: 'DIF: ', type: 'line' },
    { key: 'macd', title: 'MACD: ', type: 'bar' },
    { key: 'dea', title: 'DEA: ', type: 'line' },
    { key: 'hidden' },
  ],
  result: [{}, { dif: 1_234.567, dea: -1, macd: 0.5 }, { dif: 2, dea: Number.NaN, macd: 1 }],
};

test('a row is named by the indicator and its periods', () => {
  expect(legendName(MACD)).toBe('MACD 12, 26, 9');
  expect(legendName({ shortName: 'VOL', calcParams: [] })).toBe('VOL');
});

test('a row has the values under the pointer, and a dash where there is none', () => {
  expect(legendValues(MACD, 1)).toEqual([
    { title: 'DIF', line: 0, text: '1,234.57' },
    { title: 'MACD', line: undefined, text: '0.50' },
    { title: 'DEA', line: 1, text: '−1.00' },
  ]);
  expect(legendValues(MACD, 0).map(({ text }) => text)).toEqual(['–', '–', '–']);
});

test('without a pointer, and after the newest candle, the newest counts', () => {
  const newest = ['2.00', '1.00', '–'];
  expect(legendValues(MACD, undefined).map(({ text }) => text)).toEqual(newest);
  expect(legendValues(MACD, 7).map(({ text }) => text)).toEqual(newest);
  expect(legendValues({ ...MACD, result: [] }, undefined).map(({ text }) => text)).toEqual(['–', '–', '–']);
});

test('volumes are shortened', () => {
  const volume = { ...MACD, shouldFormatBigNumber: true, figures: [{ key: 'dif', title: 'VOLUME: ' }] };
  expect(legendValues(volume, 1)[0]?.text).toBe('1.23K');
});
