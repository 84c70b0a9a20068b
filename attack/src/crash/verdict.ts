/**
 * Whether what was promised still holds, judged by the public calls alone. Everything is computed here again: balances
 * from the funds that were given and the fills that are listed, holds from the open orders.
 */
import { text, times, units } from '../decimal.ts';
import type { Person } from '../people.ts';
import type { Acknowledged, ShownFill, ShownOrder } from './promises.ts';
import { FUNDS, type Trader } from './trader.ts';

const PAGE = 500;

interface Listed {
  readonly open: ReadonlyMap<string, ShownOrder>;
  /** Open ones and as many of the ended ones as were asked for. */
  readonly orders: ReadonlyMap<string, ShownOrder>;
  /** Ids that a list named twice. */
  readonly twice: readonly string[];
}

/** Every page of a list, newest first, down to an id. */
async function pages<Row extends { id: string }>(
  person: Person,
  path: string,
  member: string,
  from: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1)?.id;
    const answer = await person.send('GET', `${path}?limit=${PAGE}${last === undefined ? '' : `&before=${last}`}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    const page = answer.json<Record<string, Row[]>>()[member] ?? [];
    rows.push(...page);
    if (page.length < PAGE || Number(page.at(-1)?.id) <= from) return rows;
  }
}

async function ordersOf(person: Person, from: number): Promise<Listed> {
  const open = await pages<ShownOrder>(person, '/api/v3/trades/open-orders', 'orders', 0);
  const ended = await pages<ShownOrder>(person, '/api/v3/trades/order-histories', 'orders', from);
  const seen = new Set<string>();
  const twice = [...open, ...ended].filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => id);
  const byId = (orders: readonly ShownOrder[]) => new Map(orders.map((order) => [order.id, order] as const));
  return { open: byId(open), orders: byId([...open, ...ended]), twice };
}

const fillKey = ({ id, order_id }: Pick<ShownFill, 'id' | 'order_id'>) => `${id}/${order_id}`;

const figuresOf = ({ delegate_type, price, quantity, fee, fee_coin }: ShownFill) =>
  [delegate_type, text(units(price)), text(units(quantity)), text(units(fee)), fee_coin].join(' ');

function holdOf({ delegate_type, final_price, remaining }: ShownOrder): { coin: string; amount: bigint } {
  if (delegate_type === 'SELL') return { coin: 'BTC', amount: units(remaining) };
  return { coin: 'USDT', amount: times(units(final_price), units(remaining)) };
}

export class Judge {
  readonly #trader: Trader;
  /** Listed so far; a fill never changes. */
  readonly #fills = new Map<string, ShownFill>();
  #lastFill = 0;

  constructor(trader: Trader) {
    this.#trader = trader;
  }

  /** Every fill that was ever listed. */
  fills(): readonly ShownFill[] {
    return [...this.#fills.values()];
  }

  /** @param everything looks at every order since the beginning, not only at the newest */
  async judge(everything: boolean): Promise<string[]> {
    const { person, promises } = this.#trader;
    const fresh = promises.sinceLast();
    const looked = everything ? promises.acknowledged : fresh;
    const placed = looked.flatMap(({ intent, orders }) => (intent.method === 'POST' ? orders : []));
    const from = everything ? 0 : Math.min(...placed.map(({ id }) => Number(id)), Number.MAX_SAFE_INTEGER);
    const listed = await ordersOf(person, from);
    await this.#readFills();
    return [
      ...listed.twice.map((id) => `order ${id} is listed twice`),
      ...this.#missing(placed, listed),
      ...this.#backward(listed),
      ...this.#terms(listed),
      ...this.#forgottenFills(),
      ...(everything ? this.#strangers(listed) : []),
      ...(await this.#balances(listed)),
    ].map((line) => `${person.email}: ${line}`);
  }

  /** The same key must be answered as before. */
  async repeats(acknowledged: readonly Acknowledged[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const { intent, status, orders } of acknowledged) {
      const headers = { 'idempotency-key': intent.key };
      const again = await this.#trader.person.send(intent.method, intent.path, intent.body, { headers });
      const { order } = again.json<{ order?: ShownOrder }>();
      const first = intent.path.endsWith('/batch') ? undefined : orders[0]?.id;
      if (again.status !== status || (first !== undefined && order?.id !== first)) {
        wrong.push(`${intent.key}: ${status} ${first} became ${again.status} ${order?.id}`);
      }
    }
    return wrong;
  }

  async #readFills(): Promise<void> {
    const { person } = this.#trader;
    const rows = await pages<ShownFill>(person, '/api/v3/trades/trade-histories', 'trades', this.#lastFill);
    for (const fill of rows) this.#fills.set(fillKey(fill), fill);
    this.#lastFill = Math.max(this.#lastFill, ...rows.map(({ id }) => Number(id)));
  }

  #missing(placed: readonly ShownOrder[], { orders }: Listed): string[] {
    return placed.filter(({ id }) => !orders.has(id)).map(({ id }) => `order ${id} was acknowledged and is gone`);
  }

  /** No order stands before where it was said to be. */
  #backward({ orders }: Listed): string[] {
    return this.#trader.promises.progress().flatMap(({ id, filled, hasEnded }) => {
      const now = orders.get(id);
      if (now === undefined) return [];
      if (units(now.filled) < units(filled)) return [`order ${id} had ${filled} filled and has ${now.filled}`];
      return hasEnded && now.state === 'PENDING' ? [`order ${id} had ended and is open`] : [];
    });
  }

  #terms({ open }: Listed): string[] {
    const last = this.#trader.promises.lastTerms();
    return [...open.values()].flatMap((now) => {
      const said = last.get(now.id);
      if (said === undefined || said.state !== 'PENDING') return [];
      const isSame = said.final_price === now.final_price && said.number_of_order === now.number_of_order;
      return isSame ? [] : [`order ${now.id} was said at ${said.final_price} and is at ${now.final_price}`];
    });
  }

  #forgottenFills(): string[] {
    return this.#trader.promises.fills().flatMap((told) => {
      const now = this.#fills.get(fillKey(told));
      if (now === undefined) return [`fill ${fillKey(told)} was pushed and is gone`];
      return figuresOf(now) === figuresOf(told)
        ? []
        : [`fill ${fillKey(told)}: ${figuresOf(told)} is ${figuresOf(now)}`];
    });
  }

  /** Every order that is there was acknowledged once everything has been answered: none was placed twice. */
  #strangers({ orders }: Listed): string[] {
    const known = this.#trader.promises.orderIds();
    return [...orders.keys()].filter((id) => !known.has(id)).map((id) => `order ${id} was never acknowledged`);
  }

  async #balances({ open }: Listed): Promise<string[]> {
    const total: Record<string, bigint> = { BTC: units(FUNDS.BTC), USDT: units(FUNDS.USDT) };
    const add = (coin: string, amount: bigint) => {
      total[coin] = (total[coin] ?? 0n) + amount;
    };
    for (const { delegate_type, price, quantity, fee, fee_coin } of this.#fills.values()) {
      const sign = delegate_type === 'BUY' ? 1n : -1n;
      add('BTC', sign * units(quantity));
      add('USDT', -sign * times(units(price), units(quantity)));
      add(fee_coin, -units(fee));
    }
    const held: Record<string, bigint> = { BTC: 0n, USDT: 0n };
    for (const order of open.values()) {
      const { coin, amount } = holdOf(order);
      held[coin] = (held[coin] ?? 0n) + amount;
    }
    const answer = await this.#trader.person.send('GET', '/api/v3/wallets/spot');
    const { wallet } = answer.json<{ wallet: { name: string; coin_value: string; freeze_value: string }[] }>();
    return Object.keys(held).flatMap((coin) => {
      const row = wallet.find(({ name }) => name === coin);
      const [available, frozen] = [units(row?.coin_value ?? '0'), units(row?.freeze_value ?? '0')];
      const wrong: string[] = [];
      if (frozen !== held[coin]) wrong.push(`${coin} held ${text(frozen)}, by the orders ${text(held[coin] ?? 0n)}`);
      if (available + frozen !== total[coin])
        wrong.push(`${coin} ${text(available + frozen)}, by the fills ${text(total[coin] ?? 0n)}`);
      return wrong;
    });
  }
}

/** Each trade has two sides, both of ours, with the same price and quantity. */
export function oneSided(judges: readonly Judge[]): string[] {
  const sides = Map.groupBy(
    judges.flatMap((judge) => judge.fills()),
    ({ id }) => id,
  );
  return [...sides].flatMap(([id, fills]) => {
    const kinds = new Set(fills.map(({ delegate_type }) => delegate_type));
    const figures = new Set(fills.map(({ price, quantity }) => `${price} ${quantity}`));
    return fills.length === 2 && kinds.size === 2 && figures.size === 1
      ? []
      : [`trade ${id} has ${fills.length} sides`];
  });
}
