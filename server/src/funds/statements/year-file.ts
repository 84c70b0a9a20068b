/**
 * A year of all wallets in one file, in the columns of Koinly's universal format, which rotki reads as well: each trade with what was
 * sent and received, and what came, left or was gained otherwise. Movements between wallets of the client are left out.
 * Source: https://support.koinly.io/en/articles/9489976
 */
import type { MovementCause } from '@cambist/contract/statements.ts';
import { accountKey, accountParts, Bucket } from '@cambist/core/ledger/account.ts';
import { declarationOf } from '@cambist/core/ledger/transfer.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { FillRow } from '../../exchange/orders/service.ts';
import type { FileColumn, Pages } from '../../platform/files.ts';
import type { Span } from './service.ts';
import { type Entry, type Place, type WalkDeps, walk } from './walk.ts';

export interface YearFileDeps extends WalkDeps {
  /** The newest place in the books. */
  readonly newest: () => Promise<Omit<Place, 'balance'>>;
  readonly spotMarkets: () => readonly MarketSpec[];
  /** Account keys that a client has ever used. */
  readonly accountsOf: (owner: number) => readonly number[];
  readonly assetById: (id: number) => Asset | undefined;
  readonly pairOf: (market: number) => string;
}

export interface TaxAmount {
  readonly amount: string;
  readonly coin: string;
}

export interface TaxRow {
  readonly time: number;
  readonly sent?: TaxAmount | undefined;
  readonly received?: TaxAmount | undefined;
  readonly fee?: TaxAmount | undefined;
  readonly label: string;
  readonly description: string;
}

/** Small, so that no order waits long behind a file. */
const FILE_SIZE = 40;

/** How a file is written. */
export interface TaxStyle {
  readonly timeText: (ms: number) => string;
  readonly decimalSign: string;
}

export function taxColumns({ timeText, decimalSign }: TaxStyle): readonly FileColumn<TaxRow>[] {
  const amount = (of?: TaxAmount) => of?.amount.replace('.', decimalSign) ?? '';
  return [
    { name: 'Date', value: ({ time }) => timeText(time) },
    { name: 'Sent Amount', value: ({ sent }) => amount(sent) },
    { name: 'Sent Currency', value: ({ sent }) => sent?.coin ?? '' },
    { name: 'Received Amount', value: ({ received }) => amount(received) },
    { name: 'Received Currency', value: ({ received }) => received?.coin ?? '' },
    { name: 'Fee Amount', value: ({ fee }) => amount(fee) },
    { name: 'Fee Currency', value: ({ fee }) => fee?.coin ?? '' },
    { name: 'Net Worth Amount', value: () => '' },
    { name: 'Net Worth Currency', value: () => '' },
    { name: 'Label', value: ({ label }) => label },
    { name: 'Description', value: ({ description }) => description },
    { name: 'TxHash', value: () => '' },
  ];
}

const money = (units: bigint, { scale, code }: Pick<Asset, 'scale' | 'code'>): TaxAmount | undefined =>
  units === 0n ? undefined : { amount: formatAmount(units, scale), coin: code };

/** A trade, before its fee: what is received is more by the fee than what arrives. */
export function rowOfFill(fill: FillRow, market: MarketSpec): TaxRow {
  const isBuy = (fill.taker_side === BUY) === fill.taker;
  const base = money(baseUnits(market, fill.quantity), market.base);
  const quote = money(notional(market, fill.price, fill.quantity), market.quote);
  const fee = money(fill.taker ? fill.taker_fee : fill.maker_fee, isBuy ? market.base : market.quote);
  const sides = isBuy ? { sent: quote, received: base } : { sent: base, received: quote };
  return { time: fill.time, ...sides, fee, label: '', description: `Trade ${fill.id} ${market.symbol}` };
}

const isOfPosition = (cause: MovementCause): boolean => cause.startsWith('position-') || cause === 'loss-covered';

function descriptionOf({ cause, amount, reference }: Entry, pair: string | undefined): string {
  if (isOfPosition(cause)) return [cause.replaceAll('-', ' '), pair].filter(Boolean).join(' ');
  const label = declarationOf(cause as Parameters<typeof declarationOf>[0])?.label ?? cause;
  const text = typeof label === 'string' ? label : label[amount > 0n ? 'incoming' : 'outgoing'];
  return `${text} ${reference}`;
}

/** Undefined for what neither came from outside nor left nor was gained. */
export function rowOfEntry(entry: Entry, asset: Asset, pairOf: (market: number) => string): TaxRow | undefined {
  const { cause, time, amount, fee, market } = entry;
  const isPosition = isOfPosition(cause);
  const effect = isPosition ? 'gain' : declarationOf(cause as Parameters<typeof declarationOf>[0])?.effect;
  if (effect === 'own' || effect === 'house') return undefined;
  const facts = { time, description: descriptionOf(entry, market === undefined ? undefined : pairOf(market)) };
  const gross = amount + fee;
  // Koinly takes no row of a fee alone: it is what was sent.
  if (gross === 0n) return { ...facts, sent: money(fee, asset), label: 'cost' };
  const side = gross > 0n ? { received: money(gross, asset) } : { sent: money(-gross, asset) };
  const label = isPosition ? 'realized gain' : effect === 'gain' ? 'reward' : '';
  return { ...facts, ...side, fee: money(fee, asset), label };
}

const isWithin =
  ({ from, to }: Span) =>
  ({ time }: { readonly time: number }) =>
    time >= from && time <= to;

async function* trades({ fills, spotMarkets }: YearFileDeps, owner: number, newest: number, span: Span): Pages<TaxRow> {
  const markets = new Map(spotMarkets().map((market) => [market.id, market]));
  const filter = { owner, markets: [...markets.keys()], side: undefined, role: undefined, order: undefined };
  for (let before = newest; ; ) {
    const next = await fills.span('fills', owner, 0, before, FILE_SIZE);
    if (next === undefined) return;
    const rows = await fills.fills({ ...filter, first: next.first, before });
    yield rows.filter(isWithin(span)).map((fill) => rowOfFill(fill, markets.get(fill.market)!));
    if (next.count < FILE_SIZE || (rows.at(-1)?.time ?? span.from) < span.from) return;
    before = next.first;
  }
}

/** What moved an asset in a wallet beside spot trades. */
async function* movements(
  deps: YearFileDeps,
  { owner, wallet, asset }: { readonly owner: number; readonly wallet: number; readonly asset: Asset },
  newest: Omit<Place, 'balance'>,
  span: Span,
): Pages<TaxRow> {
  const accounts = Object.values(Bucket).map((bucket) => accountKey(owner, wallet as never, bucket, asset.id));
  const account = { owner, asset: asset.id, accounts, isTraded: false };
  for await (const entries of walk(deps, account, { ...newest, balance: 0n }, FILE_SIZE)) {
    const rows = entries.filter(isWithin(span)).map((entry) => rowOfEntry(entry, asset, deps.pairOf));
    yield rows.filter((row) => row !== undefined);
    if ((entries.at(-1)?.time ?? span.from) < span.from) return;
  }
}

/** Trades first, then each wallet's movements, each newest first. */
export async function openYearFile(deps: YearFileDeps, owner: number, span: Span): Promise<Pages<TaxRow>> {
  const newest = await deps.newest();
  const used = deps.accountsOf(owner).map(accountParts);
  const ids = [...new Set(used.map(({ asset }) => asset))];
  const assets = ids.map((id) => deps.assetById(id)).filter((asset) => asset !== undefined);
  return (async function* () {
    yield* trades(deps, owner, newest.trade, span);
    for (const { number: wallet } of OWNED_WALLETS)
      for (const asset of assets) yield* movements(deps, { owner, wallet, asset }, newest, span);
  })();
}
