/** What the addresses of clients have at a block, whatever ends while it is read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Chain, NodeFailure, type TransactionStatus } from '../chains/service.ts';
import { lookAtAddresses } from './at-addresses.ts';
import type { KeptPayout } from './kept-payout.ts';

const payoutOf = (id: number, change: Partial<KeptPayout> = {}) =>
  ({
    ...{ id, purpose: 'sweep', reference: id, network: 'TRC20', coin: 'USDT', units: 100n, state: 'BROADCAST' },
    ...{ address: 'hot', payer: { address: `client ${id}`, index: id }, height: null, cost: null, carriedBy: null },
    ...{ isUndone: false, attempts: [{ transaction: `transaction ${id}` }] },
    ...change,
  }) as KeptPayout;

describe('what the addresses of clients have at a block', () => {
  let payouts: KeptPayout[];
  let account: bigint;
  let statuses: Map<string, TransactionStatus>;
  /** Called where the account is read. */
  let onHeld: () => void;

  beforeEach(() => {
    payouts = [];
    account = 1000n;
    statuses = new Map();
    onHeld = () => undefined;
  });

  const isOpen = ({ state }: KeptPayout) => state !== 'FINAL' && state !== 'FAILED';
  const look = () => {
    const sender = { status: async (transaction: string) => statuses.get(transaction) ?? { state: 'UNKNOWN' } };
    return lookAtAddresses(
      {
        chains: new Map([['TRC20', { sender } as unknown as Chain]]),
        async held() {
          const units = account;
          onHeld();
          return [
            { network: 'TRC20', coin: 'USDT', units },
            { network: 'ERC20', coin: 'USDT', units: 7n },
          ];
        },
        store: {
          lastId: async () => Math.max(0, ...payouts.map(({ id }) => id)),
          openBetween: async () => payouts.filter(isOpen),
          between: async (_network, { above, also, after }) =>
            payouts.filter(
              (one) => isOpen(one) || (one.height ?? 0) > above || also.includes(one.id) || one.id > after,
            ),
        },
      },
      'TRC20',
    );
  };
  const mined = (id: number, height: number) =>
    statuses.set(`transaction ${id}`, { state: 'MINED', height, isUndone: false, cost: 3n });
  /** As when it has ended: the account has it by then. */
  function end(id: number, height: number): void {
    payouts = payouts.map((one) => (one.id === id ? payoutOf(id, { state: 'FINAL', height, cost: 3n }) : one));
    account -= 100n;
  }
  const usdt = (all: readonly { coin: string; units: bigint }[]) => all.find(({ coin }) => coin === 'USDT')?.units;

  it('is without a sweep whose block is there or below, by the chain and not by what was written down of it', async () => {
    payouts = [payoutOf(1), payoutOf(2), payoutOf(3)];
    mined(1, 10);
    mined(2, 11);
    const at = await look();
    expect([usdt(await at(9)), usdt(await at(10)), usdt(await at(11))]).toEqual([1000n, 900n, 800n]);
    // What it has burned was the address's too.
    expect((await at(11)).find(({ coin }) => coin === 'TRX')?.units).toBe(-6n);
  });

  it('has what a sweep has taken that became final in a later block', async () => {
    payouts = [payoutOf(1)];
    end(1, 12);
    const at = await look();
    expect([usdt(await at(11)), usdt(await at(12))]).toEqual([1000n, 900n]);
  });

  it('counts once what ends after the account was read, also where it was planned since', async () => {
    payouts = [payoutOf(1)];
    const at = await look();
    payouts.push(payoutOf(2));
    for (const id of [1, 2]) {
      mined(id, 10);
      end(id, 10);
    }
    expect([usdt(await at(9)), usdt(await at(10))]).toEqual([1000n, 800n]);
  });

  it('is read again where a sweep ends while the account is read', async () => {
    payouts = [payoutOf(1)];
    mined(1, 10);
    onHeld = () => {
      onHeld = () => undefined;
      end(1, 10);
    };
    expect(usdt(await (await look())(10))).toBe(900n);
  });

  it('cannot be said while two nodes disagree on a sweep', async () => {
    payouts = [payoutOf(1)];
    statuses.set('transaction 1', { state: 'UNCLEAR' });
    const at = await look();
    await expect(at(10)).rejects.toThrow(NodeFailure);
  });
});
