/** Tells clients of orders that a trigger placed in vain, and why: it follows the tables, so each is told once. */
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { REJECT_REASONS, type RejectReason } from '@cambist/core/terms/outcome.ts';
import { createConsumerStore } from '../../platform/consumer-store.ts';
import type { Statement } from '../../platform/database.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import { createPacedConsumer, type Page } from '../../platform/paced-consumer.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Engine } from '../engine/engine.ts';
import { rejectDetail } from './errors.ts';
import { reasonOf } from './reasons.ts';
import type { MarketLookup } from './service.ts';
import { createUnplacedStore, type UnplacedRow } from './unplaced-store.ts';

/** Orders that one notice may be about: one price can trigger all that a client has. */
const PAGE = 200;
/** Orders in one notice; what goes beyond them is counted. */
const MOST_ORDERS = 12;
const MAIL_LIFETIME_MS = 86_400_000;
const MAIL_PAUSE_MS = 600_000;

interface Notice {
  readonly clientId: number;
  readonly type: 'orders';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

interface Parts {
  readonly engine: Pick<Engine, 'projector'>;
  readonly markets: Pick<MarketLookup, 'byId'>;
  readonly notifications: {
    /** For the transaction that the notices are about. */
    readonly noticeStatement: (notices: readonly Notice[]) => Statement;
    /** Tells the open pages of clients of the newest notice of each. */
    readonly announce: (clientIds: readonly number[]) => Promise<void>;
  };
}

function whyOf(row: UnplacedRow): LocalizedText {
  const reason = reasonOf(row.reason);
  if (reason === 'SELF_TRADE') return say('It would have traded with another order of yours.');
  if (reason === 'PRICE_BAND') return say('What was left in the book was outside the allowed price range.');
  const isRefusal = (REJECT_REASONS as readonly string[]).includes(reason);
  return isRefusal ? rejectDetail(reason as RejectReason) : say('The book had no more at a price that it accepts.');
}

function whatOf(row: UnplacedRow, { markets }: Parts): LocalizedText {
  const market = markets.byId(row.market);
  const values = { pair: market.symbol, price: formatTicks(row.price, market) };
  const isBuy = row.side === BUY;
  if (row.filled === 0)
    return isBuy
      ? say('Your order to buy in {{pair}} was triggered at {{price}}, and nothing of it was filled.', values)
      : say('Your order to sell in {{pair}} was triggered at {{price}}, and nothing of it was filled.', values);
  const part = { ...values, quantity: formatLots(row.filled, market), coin: market.base.code };
  return isBuy
    ? say('Your order to buy in {{pair}} was triggered at {{price}}. It bought {{quantity}} {{coin}} and ended.', part)
    : say('Your order to sell in {{pair}} was triggered at {{price}}. It sold {{quantity}} {{coin}} and ended.', part);
}

/** Of one client. */
function noticeOf(rows: readonly UnplacedRow[], parts: Parts): Notice {
  const [first] = rows;
  const [head, ...lines] = rows.slice(0, MOST_ORDERS).flatMap((row) => [whatOf(row, parts), whyOf(row)]);
  if (rows.length > MOST_ORDERS) lines.push(say('… and {{number}} more', { number: rows.length - MOST_ORDERS }));
  const { symbol, perpetual, base } = parts.markets.byId(first!.market);
  const isOne = rows.every(({ market }) => parts.markets.byId(market).symbol === symbol);
  return {
    clientId: first!.owner,
    type: 'orders',
    title:
      rows.length === 1
        ? say('A triggered order was not filled completely')
        : say('{{number}} triggered orders were not filled completely', { number: rows.length }),
    body: { ...head!, lines },
    path: isOne ? `/trades/${perpetual === undefined ? 'spot' : 'futures'}/${base.code}` : '/trades/spot/BTC',
  };
}

function mailOf({ clientId, title, body }: Notice, key: number) {
  const { lines = [], ...head } = body;
  const about = { kind: 'orders', lifetimeMs: MAIL_LIFETIME_MS, key: `unplaced:${key}` };
  return mailMessage({ to: { clientId }, subject: title, paragraphs: [head, ...lines] }, about);
}

const clientsOf = (told: readonly { readonly notice: Notice }[]) => told.map(({ notice }) => notice.clientId);

/** Which clients get a mail too: one whose orders are triggered in vain again and again gets one in ten minutes, and every notice. */
class MailPauses {
  readonly #mailedAt = new Map<number, number>();

  isOver(clientId: number, now: number): boolean {
    return now - (this.#mailedAt.get(clientId) ?? Number.NEGATIVE_INFINITY) >= MAIL_PAUSE_MS;
  }

  begin(clientIds: readonly number[], now: number): void {
    for (const [clientId, at] of this.#mailedAt) if (now - at >= MAIL_PAUSE_MS) this.#mailedAt.delete(clientId);
    for (const clientId of clientIds) this.#mailedAt.set(clientId, now);
  }
}

/** A slice of its own: it needs the notifications, which come after the orders. */
export function createUnplacedNoticesSlice({ database, logger, work, outbox, clock }: Platform, parts: Parts): Slice {
  const store = createUnplacedStore(database);
  const pauses = new MailPauses();

  async function pageAfter(position: number): Promise<Page> {
    const rows = await store.unplacedAfter(position, PAGE);
    const groups = [...Map.groupBy(rows, ({ owner }) => owner).values()];
    const all = groups.map((own) => ({ notice: noticeOf(own, parts), key: own[0]!.id }));
    const due = all.filter(({ notice }) => pauses.isOver(notice.clientId, clock.now()));
    const committed = async () => {
      pauses.begin(clientsOf(due), clock.now());
      if (due.length > 0) outbox.wake();
      await parts.notifications.announce(clientsOf(all));
    };
    const statements = [
      ...(all.length === 0 ? [] : [parts.notifications.noticeStatement(all.map(({ notice }) => notice))]),
      ...(due.length === 0 ? [] : [outbox.statement(...due.map(({ notice, key }) => mailOf(notice, key)))]),
    ];
    return { position: rows.at(-1)?.id ?? position, statements, isLast: rows.length < PAGE, committed };
  }

  const version = () => parts.engine.projector.batch();
  const consumer = createPacedConsumer(
    { name: 'unplaced orders', version, pageAfter },
    { store: createConsumerStore(database), logger, work },
  );
  return { consumers: [consumer] };
}
