/**
 * A node of TRON that fails: it is away, loses answers, replaces its last blocks with or without what they had, and calls of
 * the token take more energy than it has said.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { tronElsewhere } from '@cambist/server/test/elsewhere.ts';
import { startTronNode } from '@cambist/server/test/tron-node.ts';
import { units } from '../decimal.ts';
import type { AttackedChain } from './chain.ts';
import { doorFailures } from './gate.ts';

/** USDT as the exchange lists it. */
const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const SMALLEST = units('0.000001');
const ENDOWMENT = { usdt: 10n ** 12n, trx: 10n ** 12n };
/** Quicker than on TRON, and no block is later than the server's clock says: what is good until a time must end. */
const BLOCK_MS = 100;
/** Blocks after which nothing replaces one. */
const FINAL = 20;
/** In percent of what a simulation says; a third more is what payments may burn. */
const DEAR = 250n;

export async function startTronChain(): Promise<AttackedChain> {
  const node = await startTronNode(Date.now, BLOCK_MS);
  const { chain } = node;
  return {
    ...{ network: 'TRC20', coin: 'USDT', costCoin: 'TRX', fee: units('1'), grain: units('1') },
    ...{ deposits: [60, 90], withdrawals: [31, 50] },
    settings: node.settings,
    policy: {
      ...{ format: 'tron', fee_cap: '1000000000', most_fees_per_day: '1000000000000000000000000' },
      coins: [null, TOKEN].map((contract) => ({
        ...{ contract, most_per_payment: '1000000000000', most_per_day: '1000000000000000' },
      })),
    },
    figures: `credited_at = 2, unlocked_at = ${FINAL}, withdraw_confirmations = ${FINAL}`,
    async endow(hot) {
      chain.endow(hot, null, ENDOWMENT.trx);
      chain.endow(hot, TOKEN, ENDOWMENT.usdt);
      chain.mine(FINAL);
    },
    pay: async (address, amount) => void chain.pay(address, { units: amount / SMALLEST, contract: TOKEN }),
    elsewhere: tronElsewhere,
    held: async (address) => chain.held(address, TOKEN) * SMALLEST,
    undone: () =>
      chain.transactions.filter(({ of, result }) => of.outcome === undefined && result.contractRet !== 'SUCCESS')
        .length,
    async mine() {
      chain.resend();
      chain.mine();
    },
    failures: {
      ...doorFailures(node),
      'blocks were replaced': async (random) => chain.reorganize(random.between(1, 5), true),
      'blocks were lost': async (random) => chain.reorganize(random.between(1, 5), false),
      'energy became dear': async (random) => {
        chain.energyPercent = DEAR;
        await pause(random.between(100, 1000));
        chain.energyPercent = 100n;
      },
    },
    stop: () => node.stop(),
  };
}
