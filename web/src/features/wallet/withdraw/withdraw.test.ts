import type { Withdrawal, WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { describe, expect, test } from 'vitest';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { readPayment } from './payment-text.ts';
import {
  addressProblem,
  addressText,
  amountProblem,
  blocksButton,
  excessProblem,
  leftOf,
  receivable,
} from './withdraw-form.ts';
import { awaitedOf, hasEnded, shownAmount, statusOf, stepsOf, type WithdrawalEvent } from './withdrawal-states.ts';

const TRON = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
const EVM = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

describe('an address', () => {
  test('of TRC20 begins with T and has at least 34 characters (T-withdraw-39) (T-withdraw-40)', () => {
    expect(addressProblem(TRON, 'TRC20')).toBeUndefined();
    expect(addressProblem(` ${TRON} `, 'TRC20')).toBeUndefined();
    expect(addressProblem(TRON.slice(0, 33), 'TRC20')).toBe('FORMAT');
    expect(addressProblem(`X${TRON.slice(1)}`, 'TRC20')).toBe('MISMATCH');
    expect(addressProblem(EVM, 'TRC20')).toBe('MISMATCH');
  });

  test('of ERC20 begins with 0x and has at least 42 characters (T-withdraw-41) (T-withdraw-42)', () => {
    expect(addressProblem(EVM, 'ERC20')).toBeUndefined();
    expect(addressProblem(EVM.slice(0, 41), 'ERC20')).toBe('FORMAT');
    expect(addressProblem(`1x${EVM.slice(2)}`, 'ERC20')).toBe('MISMATCH');
    // Too short comes first, whatever it begins with.
    expect(addressProblem(TRON, 'ERC20')).toBe('FORMAT');
  });

  test('of BTC has no format check (T-withdraw-43)', () => {
    for (const text of [BITCOIN, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'x']) {
      expect(addressProblem(text, 'BTC')).toBeUndefined();
    }
  });

  test('that is missing, too short or of another network says so as written (T-withdraw-44) (T-withdraw-45) (T-withdraw-46)', () => {
    expect(addressProblem('  ', undefined)).toBe('EMPTY');
    expect(addressText('EMPTY')).toBe('Please enter Recipient Address');
    expect(addressText('FORMAT')).toBe(
      'The withdrawal address format is wrong. Please check the withdrawal address length and character content and try again.',
    );
    expect(addressText('MISMATCH')).toBe('This address does not match the currently selected primary network.');
  });

  test('that is missing or of another network disables the button; one that is too short does not (T-withdraw-47) (T-withdraw-48)', () => {
    expect(blocksButton('EMPTY')).toBe(true);
    expect(blocksButton('MISMATCH')).toBe(true);
    expect(blocksButton('FORMAT')).toBe(false);
    expect(blocksButton(undefined)).toBe(false);
  });
});

describe('an amount', () => {
  const room = { minimum: decimal('10'), available: decimal('250.5'), withdrawable: decimal('200') };

  test.each([['', '0', '?1,2', '-5']].flat())('that is "%s" is required (T-withdraw-36)', (amount) => {
    expect(amountProblem(amount, room)).toBe('Amount is required');
  });

  test('is at least the minimum of the network (T-withdraw-37)', () => {
    expect(amountProblem('9.99999999', room)).toBe('Amount must be greater than minimum withdrawable (10)');
    expect(amountProblem('10', room)).toBeUndefined();
  });

  test('is at most the balance, and of that what is not locked (T-withdraw-38)', () => {
    expect(amountProblem('250.50000001', room)).toBe('Amount must be less than or equal to your balance (250.5)');
    expect(amountProblem('250.5', room)).toMatch(/^Only 200 can be withdrawn now\./);
    expect(amountProblem('200', room)).toBeUndefined();
  });

  test('is called too much before it is complete, and never too little', () => {
    expect(excessProblem('250.50000001', room)).toBe('Amount must be less than or equal to your balance (250.5)');
    expect(excessProblem('200.1', room)).toMatch(/^Only 200 can be withdrawn now\./);
    for (const amount of ['', '0', '9', '200', '.']) expect(excessProblem(amount, room)).toBeUndefined();
  });

  test('is not called more than there is while that is not known', () => {
    const unknown = { ...room, available: undefined, withdrawable: undefined };
    expect(amountProblem('250.50000001', unknown)).toBeUndefined();
    expect(amountProblem('9', unknown)).toMatch(/minimum/);
  });

  test('less the fee is what arrives, in all its digits and never below nothing (T-withdraw-75)', () => {
    expect(toShortText(receivable('250.123456789', '20'))).toBe('230.123456789');
    expect(toShortText(receivable('0.0001', '0.000068'))).toBe('0.000032');
    expect(toShortText(receivable('', '1'))).toBe('0');
    expect(toShortText(receivable('0.5', '1'))).toBe('0');
  });

  test('of a limit that is left is never below nothing, also after the limit was lowered', () => {
    expect(leftOf({ limit_usdt: '10000', used_usdt: '2500.5' })).toMatchObject({ used: 0.25005 });
    expect(toShortText(leftOf({ limit_usdt: '10000', used_usdt: '2500.5' }).left)).toBe('7499.5');
    expect(toShortText(leftOf({ limit_usdt: '500', used_usdt: '900' }).left)).toBe('0');
    expect(leftOf({ limit_usdt: '500', used_usdt: '900' }).used).toBe(1);
  });
});

describe('a QR code', () => {
  test.each([
    [TRON, TRON],
    [`  ${EVM}\n`, EVM],
    [`ethereum:${EVM}`, EVM],
    [`ethereum:pay-${EVM}@1?value=2.014e18`, EVM],
    [`ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${EVM}&uint256=1e6`, EVM],
    [`bitcoin:${BITCOIN}?amount=0.01&label=Luke-Jr`, BITCOIN],
    [`BITCOIN:${BITCOIN.toUpperCase()}`, BITCOIN],
    [`tron:${TRON}?amount=5`, TRON],
  ])('%s gives its address', (code, address) => expect(readPayment(code)?.address).toBe(address));

  test.each([
    'https://example.test/pay',
    'hello world',
    '',
    'lightning:lnbc1pvjluezpp5qqqsyqcyq5rqwzqf',
    // Another chain, a call that is no transfer, a transfer to nobody, a name instead of an address.
    `ethereum:${EVM}@56`,
    `ethereum:${EVM}/approve?address=${EVM}&uint256=1`,
    `ethereum:${EVM}/transfer?uint256=1`,
    'ethereum:vitalik.eth',
  ])('%s gives none', (code) => expect(readPayment(code)).toBeUndefined());
});

describe('a link that asks for a payment', () => {
  test.each([
    [`bitcoin:${BITCOIN}?amount=0.01&label=Luke-Jr`, { coin: 'BTC', value: '0.01' }],
    [`ethereum:pay-${EVM}@1?value=2.014e18`, { coin: 'ETH', value: '2.014' }],
    [`ethereum:${EVM}?value=1`, { coin: 'ETH', value: '0.000000000000000001' }],
    [`ethereum:${EVM}?value=5e18`, { coin: 'ETH', value: '5' }],
    [`tron:${TRON}?amount=5`, { coin: 'TRX', value: '5' }],
  ])('%s says how much of which coin', (code, amount) => expect(readPayment(code)?.amount).toEqual(amount));

  test.each([
    `bitcoin:${BITCOIN}`,
    `bitcoin:${BITCOIN}?amount=0`,
    `bitcoin:${BITCOIN}?amount=1e9`,
    `bitcoin:${BITCOIN}?amount=-1`,
    `ethereum:${EVM}?value=1.5`,
    `ethereum:${EVM}?value=1e99`,
    `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${EVM}&uint256=1e6`,
    TRON,
  ])('%s says no amount that can be taken', (code) => expect(readPayment(code)).not.toHaveProperty('amount'));
});

const withdrawal = (change: Partial<Withdrawal>): Withdrawal => ({
  id: '7',
  coin: 'USDT',
  network: 'TRC20',
  withdraw_amount: '100',
  fee: '1',
  receive_amount: '99',
  withdraw_address: TRON,
  is_internal: false,
  date: 10,
  application_time: 10,
  updated_at: 20,
  state: 'ONHOLD',
  stage: 'REQUESTED',
  client_wallet: { coin: { name: 'USDT' } },
  transaction: null,
  confirmations: 0,
  confirmations_required: 6,
  reason: null,
  can_cancel: true,
  ...change,
});

describe('what a withdrawal says of itself', () => {
  test('PROCEED is Completed, ONHOLD Pending, FREEZE Freeze (T-withdraw-23) (T-withdraw-24) (T-withdraw-25)', () => {
    expect(statusOf({ state: 'PROCEED' })).toEqual({ text: 'Completed', tone: 'done' });
    expect(statusOf({ state: 'ONHOLD' })).toEqual({ text: 'Pending', tone: 'pending' });
    expect(statusOf({ state: 'FREEZE' }).text).toBe('Freeze');
  });

  test.each([
    ['1250', '1,250.000'],
    ['0.0139', '0.013'],
    ['0.00005', '0.00005'],
  ])('the amount %s shows as %s: three decimals, and never as nothing (T-display-09)', (amount, shown) => {
    expect(shownAmount({ withdraw_amount: amount })).toBe(shown);
  });

  test('confirmations are counted while it is on its chain, and at most those that it needs', () => {
    expect(awaitedOf(withdrawal({ stage: 'APPROVED' }))).toBeUndefined();
    expect(awaitedOf(withdrawal({ stage: 'CONFIRMED', confirmations: 4 }))).toEqual({ count: 4, required: 6 });
    expect(awaitedOf(withdrawal({ stage: 'CONFIRMED', confirmations: 9 }))).toEqual({ count: 6, required: 6 });
    expect(awaitedOf(withdrawal({ stage: 'CONFIRMED', is_internal: true }))).toBeUndefined();
    expect(awaitedOf(withdrawal({ stage: 'SETTLED', confirmations: 6 }))).toBeUndefined();
  });

  const event = (stage: WithdrawalStage, at: number): WithdrawalEvent => ({
    stage,
    at,
    actor: 'EXCHANGE',
    text: stage,
  });
  const way = (one: Withdrawal, ...stages: WithdrawalStage[]) =>
    stepsOf(
      one,
      stages.map((stage, at) => event(stage, at)),
    )
      .map(({ key, text, progress }) => `${key.startsWith('ahead') ? '' : '!'}${text}:${progress}`)
      .join(' ');

  test('everything that has happened stands before what comes next', () => {
    expect(way(withdrawal({ stage: 'APPROVAL' }), 'REQUESTED', 'APPROVAL')).toBe(
      '!REQUESTED:done !APPROVAL:done Approved:current Sent to the network:ahead Included in a block:ahead Completed:ahead',
    );
    expect(way(withdrawal({ stage: 'SIGNING' }), 'REQUESTED', 'SIGNING')).toBe(
      '!REQUESTED:done !SIGNING:done Sent to the network:current Included in a block:ahead Completed:ahead',
    );
    const confirmed = withdrawal({ stage: 'CONFIRMED', confirmations: 2 });
    expect(stepsOf(confirmed, []).map(({ awaited }) => awaited)).toEqual([{ count: 2, required: 6 }]);
  });

  test('one within the exchange has no chain before it, and one that has ended nothing at all', () => {
    expect(way(withdrawal({ stage: 'REQUESTED', is_internal: true }), 'REQUESTED')).toBe(
      '!REQUESTED:done Completed:current',
    );
    for (const stage of ['SETTLED', 'REFUSED', 'CANCELLED', 'FAILED'] as const) {
      const progress = stage === 'SETTLED' ? 'done' : 'failed';
      expect(way(withdrawal({ stage }), 'REQUESTED', stage)).toBe(`!REQUESTED:done !${stage}:${progress}`);
      expect(hasEnded({ stage })).toBe(true);
    }
  });
});
