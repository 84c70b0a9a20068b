/**
 * Reads balances back from the tables and compares them with memory at the same batch, however busy the accounts are:
 * what the committed batches leave in them is noted while the tables are read.
 */
import type { BatchFeed } from '../../exchange/engine/service.ts';
import type { ReadBack } from '../../exchange/ledger/service.ts';

export interface ReadBackSources {
  readonly feed: BatchFeed;
  /** Smallest units, in memory, which may be ahead of the commit. */
  readonly balance: (account: number) => bigint;
  /** Resolves once the tables hold all that memory holds now. */
  readonly caughtUp: () => Promise<void>;
  readonly ledger: Pick<ReadBack, 'balances'>;
}

interface Noted {
  readonly batch: number;
  readonly amount: bigint;
}

/** What the batches leave in some accounts, from now on. */
function noteBalances(feed: BatchFeed, accounts: readonly number[]) {
  const noted = new Map<number, Noted[]>(accounts.map((account) => [account, []]));
  const stop = feed.subscribe(({ batch, events }) => {
    for (let index = 0; index < events.balanceCount; index += 1) {
      noted.get(events.balanceKeys[index]!)?.push({ batch, amount: events.balances[index]! });
    }
  });
  return { stop, of: (account: number): readonly Noted[] => noted.get(account) ?? [] };
}

/**
 * The balances of the tables, if memory had the same at their batch.
 * @returns `unknown` where a commit came between; it is to be asked again
 */
export async function readBack(
  accounts: readonly number[],
  { feed, balance, caughtUp, ledger }: ReadBackSources,
): Promise<readonly bigint[] | 'unknown' | 'mismatch'> {
  const changes = noteBalances(feed, accounts);
  try {
    const before = accounts.map(balance);
    await caughtUp();
    const { batch, amounts } = await ledger.balances(accounts);
    const inMemory = accounts.map((account, index) => {
      const noted = changes.of(account);
      if (noted.length === 0) return balance(account) === before[index] ? before[index] : undefined;
      return noted.findLast((one) => one.batch <= batch)?.amount;
    });
    if (inMemory.includes(undefined)) return 'unknown';
    return amounts.every((amount, index) => amount === inMemory[index]) ? amounts : 'mismatch';
  } finally {
    changes.stop();
  }
}
