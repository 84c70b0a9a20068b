/** What clients are told of their positions: margin calls, liquidations, and closings against a liquidated position. */
import { positionSideOf } from '@cambist/core/events/event-record.ts';
import { formatBriefly } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { PositionLeg } from '@cambist/core/terms/order-terms.ts';
import type { Statement } from '../../platform/database.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import type { Platform } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import { fundingAmount, ratePercent } from './describe.ts';
import type { FundingRow, LiquidationRow, SettledRow } from './store.ts';

interface Notice {
  readonly clientId: number;
  readonly type: 'futures' | 'funding';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

export interface Telling {
  /** For the transaction that the notices are about. */
  readonly noticeStatement: (notices: readonly Notice[]) => Statement;
  /** Tells the open pages of clients of the newest notice of each. */
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
}

export interface MarginCall {
  readonly owner: number;
  /** By its market, `BTC-USDT-SWAP`; undefined for all cross positions of the wallet. */
  readonly position: { readonly pair: string; readonly leg: PositionLeg } | undefined;
  /** Whole percent of what is there that the positions need. */
  readonly percent: number;
  /** USDT. */
  readonly equity: string;
  readonly required: string;
  readonly time: number;
}

/** What an owner had open when an interval of funding was settled. */
export interface OwnerFunding {
  readonly owner: number;
  readonly rows: readonly { readonly row: FundingRow; readonly market: MarketSpec }[];
}

interface Told {
  readonly owner: number;
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly key: string;
  readonly pair: string | undefined;
}

const MAIL_LIFETIME_MS = 86_400_000;

/** `BTC-USDT-SWAP`; in hedge mode `BTC-USDT-SWAP LONG`, in every language. */
const nameOf = (pair: string, leg: PositionLeg): string =>
  [pair, positionSideOf(leg)?.toUpperCase()].filter(Boolean).join(' ');

function liquidationTexts(row: LiquidationRow, market: MarketSpec): Pick<Told, 'title' | 'body'> {
  const values = {
    pair: nameOf(market.symbol, row.leg),
    quantity: formatLots(row.lots, market),
    coin: market.base.code,
    price: formatTicks(row.price, market),
  };
  if (row.against > 0)
    return {
      title: say('Position reduced by auto-deleveraging'),
      body: say(
        '{{quantity}} {{coin}} of your {{pair}} position was closed at {{price}}. A position on the other side was liquidated, no order took it, and the insurance fund could not cover it.',
        values,
      ),
    };
  const money = (units: bigint) => formatBriefly(units, market.quote.scale);
  return {
    title: say('Position liquidated'),
    body: say(
      '{{quantity}} {{coin}} of your {{pair}} position was liquidated at a mark price of {{price}}. Its margin of {{equity}} USDT was no more than the {{required}} USDT that it needed.',
      { ...values, equity: money(row.equity), required: money(row.required) },
    ),
  };
}

function settledTexts(row: SettledRow, market: MarketSpec): Pick<Told, 'title' | 'body'> {
  return {
    title: say('Position settled'),
    body: say(
      '{{quantity}} {{coin}} of your {{pair}} position was settled, as this market has ended. Its result is {{result}} USDT.',
      {
        pair: nameOf(market.symbol, row.leg),
        quantity: formatLots(row.lots, market),
        coin: market.base.code,
        result: formatBriefly(row.realised, market.quote.scale),
      },
    ),
  };
}

function callTexts({ position, percent, equity, required }: MarginCall): Pick<Told, 'title' | 'body'> {
  const values = { pair: position ? nameOf(position.pair, position.leg) : '', percent, equity, required };
  const body =
    position === undefined
      ? say(
          'Your cross positions need {{required}} USDT of the {{equity}} USDT that back them ({{percent}}%). At 100% they are liquidated. Add funds to your futures wallet or reduce a position.',
          values,
        )
      : say(
          'Your {{pair}} position needs {{required}} USDT of the {{equity}} USDT that back it ({{percent}}%). At 100% it is liquidated. Add margin or reduce the position.',
          values,
        );
  return { title: say('Margin call: {{percent}}% of your margin is needed', values), body };
}

/** Lines in one notice; what goes beyond them is counted. */
const MOST_LINES = 12;

function fundingLine({ row, market }: OwnerFunding['rows'][number], amount: bigint): LocalizedText {
  const values = {
    pair: nameOf(market.symbol, row.leg as PositionLeg),
    amount: formatBriefly(amount < 0n ? -amount : amount, market.quote.scale),
    rate: ratePercent(row.rate),
  };
  return amount < 0n
    ? say('{{pair}}: received {{amount}} USDT at a rate of {{rate}}%', values)
    : say('{{pair}}: paid {{amount}} USDT at a rate of {{rate}}%', values);
}

/** @returns undefined where nothing was paid or received */
function fundingTexts({
  rows,
}: OwnerFunding): (Pick<Told, 'title' | 'body'> & { pair: string | undefined }) | undefined {
  const costs = rows
    .map((one) => ({ one, amount: fundingAmount(one.market, one.row) }))
    .filter(({ amount }) => amount !== 0n);
  const lines = costs.slice(0, MOST_LINES).map(({ one, amount }) => fundingLine(one, amount));
  if (costs.length > MOST_LINES) lines.push(say('… and {{number}} more', { number: costs.length - MOST_LINES }));
  const [head, ...rest] = lines;
  const [first] = costs;
  if (head === undefined || first === undefined) return undefined;
  const sum = costs.reduce((total, { amount }) => total + amount, 0n);
  const { quote, symbol } = first.one.market;
  const total = { amount: formatBriefly(sum < 0n ? -sum : sum, quote.scale) };
  return {
    title: sum < 0n ? say('Funding received: {{amount}} USDT', total) : say('Funding paid: {{amount}} USDT', total),
    body: { ...head, ...(rest.length > 0 && { lines: rest }) },
    pair: costs.every(({ one }) => one.market.symbol === symbol) ? symbol : undefined,
  };
}

/** Mails of two legs have keys of their own. */
const accountOf = ({ position }: MarginCall): string => (position ? nameOf(position.pair, position.leg) : '');

/** Of a market where it is about one alone, else of the wallet. */
const pathOf = (pair: string | undefined): string =>
  pair === undefined ? '/wallet?tab=future' : `/trades/futures/${pair.split('-')[0]}`;

export function createNotices({ outbox }: Pick<Platform, 'outbox'>, { noticeStatement }: Telling) {
  function statements(all: readonly Told[]): readonly Statement[] {
    if (all.length === 0) return [];
    const about = { kind: 'futures', lifetimeMs: MAIL_LIFETIME_MS };
    const mails = all.map(({ owner, title, body, key }) =>
      mailMessage({ to: { clientId: owner }, subject: title, paragraphs: [body] }, { ...about, key }),
    );
    const notices = all.map(({ owner, title, body, pair }) => ({
      ...({ clientId: owner, type: 'futures', title, body } as const),
      path: pathOf(pair),
    }));
    return [noticeStatement(notices), outbox.statement(...mails)];
  }
  return {
    ofLiquidations: (rows: readonly LiquidationRow[], marketOf: (id: number) => MarketSpec) =>
      statements(
        rows.map((row) => {
          const market = marketOf(row.market);
          const texts = liquidationTexts(row, market);
          return { owner: row.owner, ...texts, key: `liquidation:${row.id}`, pair: market.symbol };
        }),
      ),
    ofSettled: (rows: readonly SettledRow[], marketOf: (id: number) => MarketSpec) =>
      statements(
        rows.map((row) => {
          const texts = settledTexts(row, marketOf(row.market));
          return { owner: row.owner, ...texts, key: `settlement:${row.id}`, pair: undefined };
        }),
      ),
    /** Without mails: there is one each interval. */
    ofFunding(all: readonly OwnerFunding[]): readonly Statement[] {
      const notices = all.flatMap((one) => {
        const texts = fundingTexts(one);
        if (texts === undefined) return [];
        const { pair, title, body } = texts;
        return [{ clientId: one.owner, type: 'funding', title, body, path: pathOf(pair) } as const];
      });
      return notices.length === 0 ? [] : [noticeStatement(notices)];
    },
    ofCalls: (calls: readonly MarginCall[]) =>
      statements(
        calls.map((call) => ({
          ...{ owner: call.owner, ...callTexts(call), pair: call.position?.pair },
          key: `margin-call:${call.owner}:${accountOf(call)}:${call.percent}:${call.time}`,
        })),
      ),
  };
}

export type Notices = ReturnType<typeof createNotices>;
