import type { Deposit, DepositNetwork } from '@cambist/contract/deposits.ts';
import { describe, expect, test } from 'vitest';
import { addressGroups } from '../address-groups.tsx';
import { coinOf, type DepositCoin, networkOf, useDepositChoice } from '../coin-choice.ts';
import { awaitedOf, shownAmount, statusOf, stepsOf } from './deposit-states.ts';

const network = (value: DepositNetwork['value']): DepositNetwork => ({
  name: value,
  subname: value,
  value,
  arrival: '2',
  confirmation: 6,
  minimum: '0.01',
  gasFee: '0',
  deposit_minimum: '1',
  credited_at: 6,
  unlocked_at: 64,
  contract_address: null,
  trouble: null,
  is_development: true,
});
const usdt: DepositCoin = { name: 'USDT', full_name: 'Tether', networks: [network('TRC20'), network('ERC20')] };
const btc: DepositCoin = { name: 'BTC', full_name: 'Bitcoin', networks: [network('BTC')] };

describe('which coin and network are shown', () => {
  test('the coin of the address comes before the last one, and that before the first', () => {
    expect(coinOf([usdt, btc], 'btc', 'USDT')).toBe(btc);
    expect(coinOf([usdt, btc], null, 'BTC')).toBe(btc);
    expect(coinOf([usdt, btc], 'DOGE', 'LTC')).toBe(usdt);
    expect(coinOf([], 'BTC', 'BTC')).toBeUndefined();
  });

  test('of several networks none is taken for granted, and the only one need not be chosen', () => {
    expect(networkOf(usdt, undefined)).toBeUndefined();
    expect(networkOf(btc, undefined)?.value).toBe('BTC');
  });

  test('the network that was chosen for a coin is shown again, unless the coin no longer comes by it', () => {
    expect(networkOf(usdt, 'ERC20')?.value).toBe('ERC20');
    expect(networkOf(usdt, 'BEP20')).toBeUndefined();
  });

  test('a network is remembered for the coin that it was chosen for, and for no other', () => {
    const { chooseCoin, chooseNetwork } = useDepositChoice.getState();
    chooseNetwork('USDT', 'ERC20');
    chooseCoin('USDC');
    const { coin, networks } = useDepositChoice.getState();
    expect([coin, networks]).toEqual(['USDC', { USDT: 'ERC20' }]);
  });
});

test.each([
  ['0x8ba1f109551bD432803012645Ac136ddd64DBA72', '0x8ba1', 'BA72'],
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TQn9', 'SE'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'bc1q', 'dq'],
])('the groups of %s are the address, in pieces of four', (address, first, last) => {
  const groups = addressGroups(address);
  expect(groups.map(({ text }) => text).join('')).toBe(address);
  expect([groups[0]?.text, groups.at(-1)?.text]).toEqual([first, last]);
  expect(groups.slice(1, -1).every(({ text }) => text.length === 4)).toBe(true);
});

const deposit = (change: Partial<Deposit>): Deposit => ({
  id: '1',
  coin: 'ETH',
  network: 'ERC20',
  recharge_amount: '0.5',
  date: 10,
  response_time: 20,
  recharge_status: 'PENDING',
  state: 'SEEN',
  wallet_address: '0x0',
  transaction: '0x1',
  is_internal: false,
  confirmations: 3,
  credited_at: 6,
  unlocked_at: 64,
  ...change,
});

describe('what a deposit says of itself', () => {
  test('APPROVED is Completed, and any other status of one that is on its way is Pending (T-deposit-28) (T-deposit-29)', () => {
    expect(statusOf(deposit({ recharge_status: 'APPROVED', state: 'CREDITED' })).text).toBe('Completed');
    expect(statusOf(deposit({ recharge_status: 'APPROVED', state: 'UNLOCKED' })).text).toBe('Completed');
    expect(statusOf(deposit({ recharge_status: 'PENDING', state: 'SEEN' })).text).toBe('Pending');
  });

  test('what is never credited does not seem to be on its way', () => {
    expect(statusOf(deposit({ state: 'BELOW_MINIMUM' })).text).toBe('Below minimum');
    expect(statusOf(deposit({ state: 'REVERSED' })).text).toBe('Reversed');
  });

  test.each([
    ['1250', '1,250.000'],
    ['0.0139', '0.013'],
    ['0.001', '0.001'],
    ['0.00099', '0.00099'],
    ['0.000000000', '0.000'],
  ])('the amount %s shows as %s: three decimals, and never as nothing (T-display-08)', (amount, shown) => {
    expect(shownAmount({ recharge_amount: amount })).toBe(shown);
  });

  test('confirmations are counted to the credit first, and then to the withdrawal', () => {
    expect(awaitedOf(deposit({ confirmations: 3 }))).toEqual({ count: 3, required: 6 });
    expect(awaitedOf(deposit({ state: 'CREDITED', confirmations: 9 }))).toEqual({ count: 9, required: 64 });
    expect(awaitedOf(deposit({ state: 'SEEN', confirmations: 8 }))).toEqual({ count: 6, required: 6 });
    expect(awaitedOf(deposit({ state: 'UNLOCKED', confirmations: 64 }))).toBeUndefined();
  });

  test.each([
    ['SEEN', 'seen:done credited:current unlocked:ahead', 10],
    ['CREDITED', 'seen:done credited:done unlocked:current', 20],
    ['UNLOCKED', 'seen:done credited:done unlocked:done', 20],
    ['BELOW_MINIMUM', 'seen:done below:failed', 20],
    ['REVERSED', 'seen:done reversed:failed', 20],
  ] as const)('the way of one that is %s', (state, way, lastTime) => {
    const steps = stepsOf(deposit({ state }));
    expect(steps.map(({ name, progress }) => `${name}:${progress}`).join(' ')).toBe(way);
    expect(steps.filter(({ time }) => time !== undefined).at(-1)?.time).toBe(lastTime);
    // What is still counted stands beside the step that it leads to.
    expect(steps.filter(({ awaited }) => awaited).map(({ progress }) => progress)).toEqual(
      state === 'SEEN' || state === 'CREDITED' ? ['current'] : [],
    );
  });

  test('what another client has sent is seen by no network', () => {
    const steps = stepsOf(deposit({ state: 'UNLOCKED', transaction: null, is_internal: true }));
    const way = 'received:done credited:done unlocked:done';
    expect(steps.map(({ name, progress }) => `${name}:${progress}`).join(' ')).toBe(way);
  });
});
