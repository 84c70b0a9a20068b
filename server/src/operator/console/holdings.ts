/** What a client has, as an operator sees it: balances, open orders, positions and the last payments. */
import type { clientHoldings } from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import { accountParts, Bucket } from '@cambist/core/ledger/account.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY, type Side } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import type { DepositService } from '../../funds/deposits/service.ts';
import type { WithdrawalService } from '../../funds/withdrawals/service.ts';

type Holdings = AnswerOf<typeof clientHoldings>;
type Order = Holdings['orders'][number];

export interface HoldingsDeps {
  readonly view: ExchangeView;
  readonly deposits: Pick<DepositService, 'list'>;
  readonly withdrawals: {
    readonly list: (
      ...asked: Parameters<WithdrawalService['list']>
    ) => Promise<Readonly<Awaited<ReturnType<WithdrawalService['list']>>>>;
  };
}

/** Of each kind. */
const PAYMENTS = 25;

/** Wallets in their order, coins by id; nothing that is zero. */
function balancesOf(view: ExchangeView, owner: number): Holdings['balances'] {
  const sums = new Map<string, { wallet: number; asset: number; available: bigint; reserved: bigint }>();
  for (const account of view.accountsOf(owner)) {
    const { wallet, bucket, asset } = accountParts(account);
    const row = sums.get(`${wallet}/${asset}`) ?? { wallet, asset, available: 0n, reserved: 0n };
    const amount = view.balance(account);
    if (bucket === Bucket.AVAILABLE) row.available += amount;
    else row.reserved += amount;
    sums.set(`${wallet}/${asset}`, row);
  }
  const assets = new Map(view.assets().map((asset) => [asset.id, asset]));
  const rows = [...sums.values()].filter(({ available, reserved }) => available !== 0n || reserved !== 0n);
  return OWNED_WALLETS.flatMap(({ name, number }) =>
    rows
      .filter(({ wallet }) => wallet === number)
      .sort((one, other) => one.asset - other.asset)
      .map(({ asset: id, available, reserved }) => {
        const { code, scale } = assets.get(id)!;
        return {
          ...{ wallet: name, coin: code },
          available: formatAmount(available, scale),
          reserved: formatAmount(reserved, scale),
        };
      }),
  );
}

interface OrderFacts {
  readonly orderId: number;
  readonly createdAt: number;
  readonly side: Side;
  readonly quantity: number;
  readonly remaining: number;
}

const orderOf = (
  spec: MarketSpec,
  { orderId, createdAt, side, quantity, remaining }: OrderFacts,
  kind: Order['kind'],
  price: number,
): Order => ({
  ...{ id: orderId, at: createdAt, pair: spec.symbol, side: side === BUY ? 'BUY' : 'SELL', kind },
  price: price === 0 ? '' : formatTicks(price, spec),
  quantity: formatLots(quantity, spec),
  filled: formatLots(quantity - remaining, spec),
});

const triggerOf = ({ stop, takeProfit, trailing }: UntriggeredOrder): number =>
  stop?.trigger ?? takeProfit?.trigger ?? trailing?.activation ?? 0;

/** Newest first. */
function ordersOf(view: ExchangeView, owner: number, specOf: (id: number) => MarketSpec): Order[] {
  const resting = view.openOrdersOf(owner).map((one) => orderOf(specOf(one.market), one, 'limit', one.price));
  const conditional = view
    .untriggeredOrdersOf(owner)
    .map((one) => orderOf(specOf(one.market), { ...one, remaining: one.quantity }, 'conditional', triggerOf(one)));
  const twaps = view.twaps(owner).map((one) => orderOf(specOf(one.market), one, 'twap', one.price));
  return [...resting, ...conditional, ...twaps].sort((one, other) => other.id - one.id);
}

function positionsOf(view: ExchangeView, owner: number, specOf: (id: number) => MarketSpec): Holdings['positions'] {
  return view.positionsOf(owner).flatMap(({ market, position, value, profit, leverage, isIsolated }) => {
    if (position === undefined) return [];
    const spec = specOf(market);
    return [
      {
        ...{ pair: spec.symbol, side: position.direction > 0 ? ('LONG' as const) : ('SHORT' as const), leverage },
        quantity: formatLots(position.lots, spec),
        value: formatAmount(value, spec.quote.scale),
        profit: formatAmount(profit, spec.quote.scale),
        margin_mode: isIsolated ? ('isolated' as const) : ('cross' as const),
      },
    ];
  });
}

/** Deposits and withdrawals together, newest first. */
async function paymentsOf({ deposits, withdrawals }: HoldingsDeps, owner: number, locale: Locale) {
  const filter = { owner, before: undefined, limit: PAYMENTS, coin: undefined };
  const [came, left] = await Promise.all([deposits.list(filter), withdrawals.list(filter, locale)]);
  const payments: Holdings['payments'] = [
    ...came.map(({ id, date, coin, network, recharge_amount: amount, state }) => ({
      ...{ kind: 'deposit' as const, id, at: date, coin, network, amount, state },
    })),
    ...left.map(({ id, date, coin, network, withdraw_amount: amount, stage }) => ({
      ...{ kind: 'withdrawal' as const, id, at: date, coin, network, amount, state: stage },
    })),
  ];
  return payments.sort((one, other) => other.at - one.at);
}

export async function holdingsOf(deps: HoldingsDeps, owner: number, locale: Locale): Promise<Holdings> {
  const { view } = deps;
  const specs = new Map(view.markets().map((spec) => [spec.id, spec]));
  const specOf = (id: number) => specs.get(id)!;
  return {
    balances: balancesOf(view, owner),
    orders: ordersOf(view, owner, specOf),
    positions: positionsOf(view, owner, specOf),
    payments: await paymentsOf(deps, owner, locale),
  };
}
