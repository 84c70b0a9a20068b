/** Statements of clients' wallets: where they begin, what a page holds, and how the next one is found again. */
import type { MovementCause, StatementEntry } from '@cambist/contract/statements.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { z } from 'zod';
import type { ReadBack } from '../../exchange/ledger/service.ts';
import type { Encryption } from '../../platform/encryption.ts';
import type { Pages } from '../../platform/files.ts';
import { type Account, type Entry, type Place, type WalkDeps, walk } from './walk.ts';

export interface StatementDeps extends WalkDeps {
  readonly balances: ReadBack['balances'];
  /** Resolves once the tables hold every batch so far. */
  readonly projected: () => Promise<void>;
  readonly encryption: Pick<Encryption, 'hash'>;
  readonly assetByCode: (code: string) => Asset | undefined;
  /** `BTC-USDT`. */
  readonly pairOf: (market: number) => string;
}

export interface Which {
  readonly owner: number;
  readonly wallet: WalletName;
  readonly coin: string;
}

/** Ms since 1970, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Page {
  readonly balance: string | null;
  readonly entries: StatementEntry[];
  readonly next: string | null;
}

const CONTEXT = 'statement';
/** Small, so that no order waits long behind a statement of a file. */
const FILE_SIZE = 40;
/** Movements that one page passes over, at most: those newer than what is wanted. */
const LOOKED_AT = 2_000;
const SKIP_SIZE = 200;

const isWithin =
  ({ from, to }: Span) =>
  ({ time }: Entry) =>
    time >= from && time <= to;

const count = z.number().int().min(0);
const token = z.tuple([count, count, count, count, z.string().regex(/^-?\d{1,20}$/)]);

/** Places as text that a client gives back: with a seal, since the balance in it is shown as it stands. */
function createTokens({ encryption }: Pick<StatementDeps, 'encryption'>) {
  const sealOf = (text: string, { owner, wallet, coin }: Which) =>
    encryption.hash(`${owner} ${wallet} ${coin} ${text}`, CONTEXT);
  return {
    write(which: Which, { trade, transfer, balance }: Place): string {
      const text = Buffer.from(JSON.stringify([trade, ...transfer, String(balance)])).toString('base64url');
      return `${text}.${sealOf(text, which)}`;
    },
    read(which: Which, given: string): Place | undefined {
      const [text = '', seal = ''] = given.split('.');
      if (seal === '' || seal !== sealOf(text, which)) return undefined;
      const [trade, after, batch, sequence, balance] = token.parse(JSON.parse(String(Buffer.from(text, 'base64url'))));
      return { trade, transfer: [after, batch, sequence], balance: BigInt(balance) };
    },
  };
}

/** @returns what a page shows, and where the next one begins; undefined after the last */
async function gather(deps: WalkDeps, account: Account, start: Place, span: Span, limit: number) {
  const found: Entry[] = [];
  let [looked, last]: [number, Entry | undefined] = [0, undefined];
  const size = span.to < Number.POSITIVE_INFINITY ? Math.max(limit, SKIP_SIZE) : limit;
  for await (const entries of walk(deps, account, start, size)) {
    looked += entries.length;
    last = entries.at(-1) ?? last;
    found.push(...entries.filter(isWithin(span)));
    if (found.length > limit) return { shown: found.slice(0, limit), rest: found[limit - 1]!.rest };
    if (last !== undefined && last.time < span.from) break;
    if (looked >= LOOKED_AT) return { shown: found, rest: last?.rest };
  }
  return { shown: found, rest: undefined };
}

export function createStatements(deps: StatementDeps) {
  const tokens = createTokens(deps);

  function accountOf({ owner, wallet, coin }: Which): (Account & { readonly scale: number }) | undefined {
    const asset = deps.assetByCode(coin);
    if (asset === undefined) return undefined;
    const accounts = Object.values(Bucket).map((bucket) => accountKey(owner, Wallet[wallet], bucket, asset.id));
    return { owner, asset: asset.id, accounts, isTraded: wallet === 'SPOT', scale: asset.scale };
  }

  /** The newest end, as the tables have it at one batch. */
  async function begin({ accounts }: Account): Promise<Place> {
    await deps.projected();
    const { batch, trade, amounts } = await deps.balances(accounts);
    const balance = amounts.reduce((sum, amount) => sum + amount, 0n);
    return { trade: trade + 1, transfer: [trade, batch + 1, 0], balance };
  }

  const describe =
    (scale: number) =>
    ({ id, time, cause, market, reference, amount, fee, balance }: Entry): StatementEntry => ({
      ...{ id, time, cause: cause satisfies MovementCause, reference: String(reference) },
      pair: market === undefined ? null : deps.pairOf(market),
      amount: formatAmount(amount, scale),
      fee: formatAmount(fee, scale),
      balance: formatAmount(balance, scale),
    });

  return {
    /** @returns undefined for a coin that is not known, `bad-place` for a place of another statement */
    async page(
      which: Which,
      span: Span,
      limit: number,
      before: string | undefined,
    ): Promise<Page | 'bad-place' | undefined> {
      const account = accountOf(which);
      if (account === undefined) return undefined;
      const start = before === undefined ? await begin(account) : tokens.read(which, before);
      if (start === undefined) return 'bad-place';
      const { shown, rest } = await gather(deps, account, start, span, limit);
      return {
        balance: before === undefined ? formatAmount(start.balance, account.scale) : null,
        entries: shown.map(describe(account.scale)),
        next: rest === undefined ? null : tokens.write(which, rest),
      };
    },

    /** All of it. @returns undefined for a coin that is not known */
    async file(which: Which, span: Span): Promise<Pages<StatementEntry> | undefined> {
      const account = accountOf(which);
      if (account === undefined) return undefined;
      const start = await begin(account);
      return (async function* () {
        for await (const entries of walk(deps, account, start, FILE_SIZE)) {
          yield entries.filter(isWithin(span)).map(describe(account.scale));
          if ((entries.at(-1)?.time ?? span.from) < span.from) return;
        }
      })();
    },
  };
}

export type Statements = ReturnType<typeof createStatements>;
