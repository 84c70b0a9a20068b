/** What tests of a whole server ask of one network: its payouts, its card, its alarms, and what a client sees. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database } from '../src/platform/database.ts';
import type { TestApp } from './app.ts';
import type { Withdrawing } from './withdrawing.ts';

export interface ChainViewDeps {
  readonly app: TestApp;
  readonly database: Database;
  readonly wd: Withdrawing;
  /** Token of an operator. */
  readonly operator: string;
  readonly network: NetworkName;
  readonly coin: string;
  readonly confirmations: number;
  /** Where a payout of a reference goes to. */
  readonly addressOf: (reference: number) => string;
}

interface ChainCard {
  readonly network: string;
  readonly trouble: string | null;
  readonly nodes: readonly { readonly head: number | null }[];
}

type PayoutRow = {
  readonly state: string;
  readonly waits_for: string;
  readonly transaction: string;
  readonly attempts: number;
  readonly cost: bigint | null;
  /** Of the first attempt, as text. */
  readonly terms: string;
};

/** Everything that looks at chains looks once. */
export async function syncAll({ app }: TestApp): Promise<void> {
  for (const one of [app.deposits, app.sweeps, app.cold, app.payouts]) await one.sync();
}

export function createChainView(deps: ChainViewDeps) {
  const { app, database, wd, operator, network, coin } = deps;
  let references = 0;

  return {
    /** As the transaction that decides to pay. @returns its reference */
    async plan(units: bigint): Promise<number> {
      references += 1;
      const of = { purpose: 'withdrawal', reference: references, network, coin, units } as const;
      const payment = { ...of, address: deps.addressOf(references) };
      await database.transaction([app.app.payouts.planning(payment, deps.confirmations, app.now())]);
      await syncAll(app);
      return references;
    },
    async payout(reference: number): Promise<PayoutRow> {
      const [found] = await database.query<PayoutRow>(
        `SELECT state, waits_for, transaction, cost::numeric AS cost,
           (SELECT count(*) FROM payout_attempts WHERE payout = payouts.id) AS attempts,
           (SELECT terms::text FROM payout_attempts WHERE payout = payouts.id ORDER BY attempt LIMIT 1) AS terms
         FROM payouts WHERE reference = $1 AND purpose = 'withdrawal'`,
        [reference],
      );
      if (found === undefined) throw new Error(`There is no payout ${reference}`);
      return found;
    },
    async card(): Promise<ChainCard | undefined> {
      const { chains } = await wd.get<{ chains: ChainCard[] }>('/api/v3/admin/chains', operator);
      return chains.find((one) => one.network === network);
    },
    /** How often two nodes have disagreed, or something else was found. */
    async alarms(wanted = 'nodes-disagree'): Promise<number> {
      const { alarms } = await wd.get<{ alarms: { kind: string }[] }>('/api/v3/admin/alarms', operator);
      return alarms.filter(({ kind }) => kind === wanted).length;
    },
    /** A new one, with an address of the network. */
    async client(name: string): Promise<{ token: string; address: string }> {
      const token = await app.client(name, {});
      const wanted = { wallet_type: network };
      const { body } = await wd.post<{ wallet: { wallet_address: string } }>('/api/v3/generate-wallet', token, wanted);
      return { token, address: body.wallet.wallet_address };
    },
    async deposits(token: string): Promise<string[]> {
      const { deposit } = await wd.get<{ deposit: { recharge_amount: string; state: string }[] }>(
        '/api/v3/deposit-history',
        token,
      );
      return deposit.map(({ recharge_amount: amount, state }) => `${amount} ${state}`);
    },
  };
}

export type ChainView = ReturnType<typeof createChainView>;
