/**
 * One merge for an order, whichever way it comes: as an answer, a push or an entry of a list. Each is shown once, and an
 * older state never takes the place of a newer one.
 */
import type { Order } from '@cambist/contract/trading.ts';
import type { QueryClient } from '@tanstack/react-query';
import { kindOf, type MarketKind } from '../market/pairs.ts';
import type { Moment } from '../moments.ts';
import { accountKeys, LIST_LIMIT } from './account-keys.ts';
import { isHeld } from './held.ts';

interface Orders {
  readonly orders: readonly Order[];
}

interface Known {
  readonly order: Order;
  /** Of `performance.now()`. */
  readonly knownAt: number;
}

/** Orders of which an answer or a push has come; the oldest are forgotten. */
const MAXIMUM_KNOWN = 1000;
const known = new Map<string, Known>();

const isOpen = (order: Order): boolean => order.state === 'PENDING';
const newestFirst = (one: Order, other: Order): number => Number(other.id) - Number(one.id);

/** Puts an order into the list in the place of its former state, or at its own place by age. */
function withOrder(list: readonly Order[], order: Order): Order[] {
  const others = list.filter(({ id }) => id !== order.id);
  return [...others, order].sort(newestFirst);
}

/** What has ended is read on by pages; what is open is listed whole. */
const withEnded: typeof withOrder = (list, order) => withOrder(list, order).slice(0, LIST_LIMIT);

const withoutOrder = (list: readonly Order[], order: Order): Order[] => list.filter(({ id }) => id !== order.id);

/** The newest that the page has of an order, by answers and pushes or by its lists. */
function formerOf(queries: QueryClient, id: string): Order | undefined {
  const listed = [accountKeys.openOrders, accountKeys.orderHistory].flatMap((queryKey) =>
    queries
      .getQueriesData<Orders>({ queryKey })
      .flatMap(([, list]) => list?.orders.find((order) => order.id === id) ?? []),
  );
  const all = [...listed, known.get(id)?.order ?? []].flat();
  return all.find((order) => !isOpen(order)) ?? all.sort((one, other) => other.updated_at - one.updated_at)[0];
}

/** An order ends once: every other state of it was older. */
function isNews(order: Order, before: Order | undefined, source: 'answer' | 'push'): boolean {
  if (before === undefined) return true;
  if (!isOpen(before)) return false;
  if (!isOpen(order)) return true;
  // One commit may hold several changes of an order: the push has the last of them, an answer that of its own command.
  return source === 'push' ? order.updated_at >= before.updated_at : order.updated_at > before.updated_at;
}

function remember(order: Order): void {
  known.delete(order.id);
  known.set(order.id, { order, knownAt: performance.now() });
  const [oldest] = known.keys();
  if (known.size > MAXIMUM_KNOWN && oldest !== undefined) known.delete(oldest);
}

/**
 * Takes an order of an answer or a push into the lists that are on hand.
 * @param moment of a push. One that was held up on its way may be older than the list of what is open, which has ended it
 */
export function receiveOrder(queries: QueryClient, order: Order, source: 'answer' | 'push', moment?: Moment): void {
  const openKey = [...accountKeys.openOrders, kindOf(order.coin_pair.pair_name)];
  if (isOpen(order) && isHeld(queries, openKey, moment)) return;
  if (!isNews(order, formerOf(queries, order.id), source)) return;
  remember(order);
  const change = (key: readonly string[], merge: typeof withOrder) =>
    queries.setQueryData<Orders>(
      [...key, kindOf(order.coin_pair.pair_name)],
      (old) => old && { orders: merge(old.orders, order) },
    );
  change(accountKeys.openOrders, isOpen(order) ? withOrder : withoutOrder);
  if (!isOpen(order)) change(accountKeys.orderHistory, withEnded);
}

interface Reading {
  readonly state: 'open' | 'ended';
  readonly market: MarketKind;
  /** Of `performance.now()`: an order that was heard of later may be missing in the answer. */
  readonly askedAt: number;
}

/** A list that was just read, brought up to what is known by now. */
export function upToDate(list: readonly Order[], { state, market, askedAt }: Reading): Order[] {
  const current = new Map(list.map((order) => [order.id, order]));
  for (const { order, knownAt } of known.values()) {
    const listed = current.get(order.id);
    const isNewer = listed === undefined ? knownAt >= askedAt : isOpen(listed) && order.updated_at > listed.updated_at;
    if (isNewer || (listed !== undefined && !isOpen(order))) current.set(order.id, order);
  }
  const fits = (order: Order) => isOpen(order) === (state === 'open') && kindOf(order.coin_pair.pair_name) === market;
  const fitting = [...current.values()].filter(fits).sort(newestFirst);
  return state === 'open' ? fitting : fitting.slice(0, LIST_LIMIT);
}

/** For when another client signs in. */
export function forgetOrders(): void {
  known.clear();
}
