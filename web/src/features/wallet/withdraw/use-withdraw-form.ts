/** The form of a withdrawal: what was entered, what the server says of it, and what is wrong with it. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { checkWithdrawal, WithdrawNetwork, withdrawalLimits } from '@cambist/contract/withdrawals.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { type Decimal, decimal, toShortText } from '../../../lib/decimal.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { t } from '../../../lib/i18n.ts';
import { type Client, useSession } from '../../../lib/session-store.ts';
import { coinOf, networkOf, useWithdrawChoice } from '../coin-choice.ts';
import {
  type AddressProblem,
  addressProblem,
  addressText,
  amountProblem,
  excessProblem,
  receivable,
} from './withdraw-form.ts';
import { checkQuery, limitsQuery, type Wish } from './withdraw-queries.ts';

/** While someone types, nothing is asked. */
const TYPING_MS = 400;

export interface WithdrawCoin {
  readonly name: string;
  readonly full_name: string;
  readonly networks: readonly WithdrawNetwork[];
}

export type Limits = AnswerOf<typeof withdrawalLimits>;
export type WithdrawFunds = Limits['coins'][number];
export type Check = AnswerOf<typeof checkWithdrawal>;

/** What another screen hands over: never by the address of the page, which anyone can write. */
export interface WithdrawTarget {
  readonly network: NetworkName;
  readonly address: string;
}

/** Of the session: what is pushed comes at once, and a hold that has ended is only read again after minutes. */
const isHeld = ({ client }: { readonly client: Client | undefined }): boolean => {
  const until = client?.withdraw_restricted_until ?? null;
  return client?.withdraw_transfer_status === 'NOT_ALLOWED' && (until === null || until > exchangeTime());
};

/** Whichever says that nothing may leave. */
export function useWithdrawStatus(limits: Limits | undefined): 'ALLOWED' | 'NOT_ALLOWED' {
  const isHeldBySession = useSession(isHeld);
  return limits?.status === 'NOT_ALLOWED' || isHeldBySession ? 'NOT_ALLOWED' : 'ALLOWED';
}

interface Entered {
  readonly address: string;
  readonly amount: string;
}

interface Draft extends Entered {
  readonly coin: string;
}

/** @param coin what was entered for another one does not return with this one */
function useEntered(coin: string, target: WithdrawTarget | undefined) {
  const address = target?.address ?? '';
  const [draft, setDraft] = useDraft<Draft | undefined>(`withdrawal ${address}`, undefined);
  const enteredIn = (written: Draft | undefined) => (written?.coin === coin ? written : { coin, address, amount: '' });
  const enter = (change: Partial<Draft>) => setDraft((written) => ({ ...enteredIn(written), ...change }));
  /** What more typing can mend is said once the field was left, or after the button was pressed. */
  const [left, setLeft] = useState({ address: false, all: false });
  return {
    entered: enteredIn(draft) satisfies Entered,
    left,
    enter,
    clear: () => setDraft(undefined),
    leaveAddress: () => setLeft((now) => ({ ...now, address: true })),
    tryAll: () => setLeft({ address: true, all: true }),
  };
}

function useChosenCoin(coins: readonly WithdrawCoin[]) {
  const [search, setSearch] = useSearchParams();
  const target = useLocation().state as WithdrawTarget | null;
  const choice = useWithdrawChoice();
  const coin = coinOf(coins, search.get('coin'), choice.coin);
  // What was handed over is taken once; a choice of the client comes before it.
  const [isChosen, setChosen] = useState(false);
  const remembered = coin && (isChosen ? choice.networks[coin.name] : (target?.network ?? choice.networks[coin.name]));
  return {
    coin,
    network: coin && networkOf(coin, remembered),
    target: target ?? undefined,
    chooseCoin: (name: string) => {
      choice.chooseCoin(name);
      setSearch({ coin: name }, { replace: true });
    },
    chooseNetwork: (network: NetworkName) => {
      setChosen(true);
      if (coin) choice.chooseNetwork(coin.name, network);
    },
  };
}

function useFunds(coin: string | undefined) {
  const limits = useQuery(limitsQuery);
  const funds = limits.data?.coins.find((one) => one.coin === coin);
  // Undefined while it is not known: then nothing is more than there is.
  return { limits, available: funds && decimal(funds.available), withdrawable: funds && decimal(funds.withdrawable) };
}

/** What the server says of the entry once it has come to rest; nothing while something is wrong with it. */
function useCheck(wish: Wish | undefined) {
  const [rested] = useDebouncedValue(wish && JSON.stringify(wish), TYPING_MS);
  const asked = wish !== undefined && rested === JSON.stringify(wish) ? wish : undefined;
  const blank: Wish = { coin: '', bchain_name: '', withdraw_address: '', withdraw_amount: '' };
  const { data, error } = useQuery({ ...checkQuery(asked ?? blank), enabled: asked !== undefined });
  const problem = asked && error instanceof ApiProblem ? error : undefined;
  return { check: asked && data, problem };
}

export function useWithdrawForm(coins: readonly WithdrawCoin[]) {
  const { coin, network, target, ...choose } = useChosenCoin(coins);
  const { entered, left, ...acts } = useEntered(coin?.name ?? '', target);
  const { limits, available, withdrawable } = useFunds(coin?.name);
  const minimum = network && decimal(network.minimum);
  const status = useWithdrawStatus(limits.data);
  const shape: AddressProblem | undefined = addressProblem(entered.address, network?.value);
  const amount = amountProblem(entered.amount, { minimum, available, withdrawable });
  const excess = excessProblem(entered.amount, { available, withdrawable });
  const isReady = coin !== undefined && network !== undefined && !shape && !amount && status === 'ALLOWED';
  const wish: Wish | undefined = isReady
    ? {
        coin: coin.name,
        bchain_name: network.value,
        withdraw_address: entered.address.trim(),
        withdraw_amount: toShortText(decimal(entered.amount)),
      }
    : undefined;
  const { check, problem } = useCheck(wish);
  const fee = check?.fee ?? network?.fee ?? '0';
  return {
    ...{ coin, network, entered, limits, available, withdrawable, status, wish, check, fee },
    ...choose,
    ...acts,
    chooseCoin: (name: string) => {
      acts.enter({ coin: name });
      choose.chooseCoin(name);
    },
    receives: receivable(entered.amount, fee) satisfies Decimal,
    arrival: check?.arrival ?? network?.arrival ?? null,
    addressProblem: shape,
    errors: {
      network: left.all && !network ? t('Choose a network') : undefined,
      address: left.address && shape ? addressText(shape) : problem?.fields.get('withdraw_address'),
      amount: (left.all ? amount : excess) ?? problem?.fields.get('withdraw_amount'),
    },
  };
}

export type WithdrawForm = ReturnType<typeof useWithdrawForm>;
