import type { AnswerOf } from '@cambist/contract/call.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { accountKeys } from './account-keys.ts';
import { holdPushed } from './held.ts';
import { forgetBalances, receiveBalances, withPushedBalances } from './own-balances.ts';

type Funds = AnswerOf<typeof funds>;

const list = (btc: string, usdt: string) =>
  ({
    funds: [
      { coin: { name: 'BTC' }, wallet_balance: btc, freeze_balance: '0' },
      { coin: { name: 'USDT' }, wallet_balance: usdt, freeze_balance: '0' },
    ],
  }) as unknown as Funds;

const pushOf = (ccy: string, availBal: string, moment: string) => ({
  ...{ arg: { channel: 'account' }, moment },
  data: [{ ccy, availBal, frozenBal: '0', eq: availBal, uTime: '1' }],
});

const balances = (known: Funds | undefined) => known?.funds.map((one) => one.wallet_balance);

afterEach(forgetBalances);

test('an answer that was asked for before a push has come keeps what the push has said, and takes all else', () => {
  receiveBalances(new QueryClient(), pushOf('BTC', '2', 'a-10'));
  expect(balances(withPushedBalances(list('1', '70'), 'a-9'))).toEqual(['2', '70']);
  expect(balances(withPushedBalances(list('3', '70'), 'a-10'))).toEqual(['3', '70']);
});

test('a push that was held up on its way does not set back a list of a later moment', () => {
  const queries = new QueryClient();
  queries.setQueryData(accountKeys.funds, list('3', '70'));
  holdPushed(queries, accountKeys.funds, 'a-10');
  receiveBalances(queries, pushOf('BTC', '2', 'a-9'));
  expect(balances(queries.getQueryData(accountKeys.funds))).toEqual(['3', '70']);
  receiveBalances(queries, pushOf('BTC', '4', 'a-11'));
  expect(balances(queries.getQueryData(accountKeys.funds))).toEqual(['4', '70']);
});
