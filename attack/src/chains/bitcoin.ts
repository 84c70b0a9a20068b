/**
 * A real Bitcoin node that fails: it is away, loses answers, is started again without what waited, replaces its last blocks,
 * leaves transactions out of every block until they pay more, and takes an older version of one that was replaced.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startBitcoinNode } from '@cambist/server/test/bitcoin-node.ts';
import { bitcoinElsewhere } from '@cambist/server/test/elsewhere.ts';
import { text, units } from '../decimal.ts';
import type { Random } from '../random.ts';
import type { AttackedChain, Failures } from './chain.ts';
import { doorFailures, openGate } from './gate.ts';

/** Of the outsider's coins: each deposit spends one of its own, so that none depends on another. */
const COIN = units('0.003');
const FEE = units('0.00002');
const ENDOWMENT = { coins: 60, each: '0.3' };
/** Of payments that spend each other's change, in one block. */
const IN_A_ROW = 20;
/** Outputs of one transaction. */
const SPLIT = 500;
/** Tries of what the outsider asks while the node is started again. */
const TRIES = 300;
/** Blocks after which a deposit is looked for, and after which it stays. */
const LOOKED_AT = 15;
const STAYS = 30;
/** In satoshis, added to its fee where miners choose: no block takes it. */
const UNWANTED = -100_000_000;
/** Of the newest transactions of the exchange, those that a miner may have kept. */
const REMEMBERED = 60;
/** Whose addresses no withdrawal is paid at. */
const [CHANGE, MINER] = [bitcoinElsewhere(2 ** 33), bitcoinElsewhere(2 ** 33 + 1)];

type Node = Awaited<ReturnType<typeof startBitcoinNode>>;
type Coin = { readonly txid: string; readonly vout: number };

/** Of what the node's wallet has, so many coins of one size, which the wallet itself spends no more. */
async function split(node: Node, count: number): Promise<Coin[]> {
  const coins: Coin[] = [];
  while (coins.length < count) {
    const outputs: Record<string, string> = {};
    for (let made = coins.length; made < Math.min(count, coins.length + SPLIT); made += 1)
      outputs[String(await node.call('getnewaddress'))] = text(COIN);
    const txid = await node.call('sendmany', '', outputs);
    await node.mine(1);
    const all = (await node.call('listunspent')) as (Coin & { amount: number })[];
    const made = all.filter((one) => one.txid === txid && units(String(one.amount)) === COIN);
    const added = made.map(({ vout }) => ({ txid: String(txid), vout }));
    await node.call('lockunspent', false, added);
    coins.push(...added);
  }
  return coins;
}

/** Pays from outside, and again until a block has it that stays. */
function createOutsider(node: Node, coins: Coin[]) {
  const sent: { readonly raw: string; readonly id: string; lookAt: number }[] = [];
  let mined = 0;

  /** While the node is started again, nothing is answered. */
  async function asked(method: string, ...params: readonly unknown[]): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await node.call(method, ...params);
      } catch (error) {
        if (tries === TRIES) throw error;
        await pause(100);
      }
    }
  }
  const send = (raw: string) => node.call('sendrawtransaction', raw).catch(() => undefined);

  return {
    asked,
    isOwn: (id: string) => sent.some((one) => one.id === id),

    async pay(address: string, amount: bigint): Promise<void> {
      const coin = coins.pop();
      if (coin === undefined) throw new Error('The outsider has no coins left');
      const outputs = [
        { [node.addressHere(address)]: text(amount) },
        { [node.addressHere(CHANGE)]: text(COIN - amount - FEE) },
      ];
      const unsigned = await asked('createrawtransaction', [coin], outputs);
      const { hex: raw } = (await asked('signrawtransactionwithwallet', unsigned)) as { hex: string };
      const { txid: id } = (await asked('decoderawtransaction', raw)) as { txid: string };
      sent.push({ raw, id, lookAt: mined + LOOKED_AT });
      await send(raw);
    },

    async mined(): Promise<void> {
      mined += 1;
      for (const one of sent.filter(({ lookAt }) => lookAt <= mined)) {
        const found = await node.call('getrawtransaction', one.id, true).catch(() => undefined);
        const { confirmations = 0 } = (found ?? {}) as { confirmations?: number };
        if (found === undefined) await send(one.raw);
        one.lookAt = confirmations >= STAYS ? Number.POSITIVE_INFINITY : mined + LOOKED_AT;
      }
    },
  };
}

type Outsider = ReturnType<typeof createOutsider>;

/** What happens to the chain and what waits for its blocks. @param sent what the exchange has sent to the node, as it came */
function failuresOf(node: Node, { isOwn }: Pick<Outsider, 'isOwn'>, sent: readonly string[]): Failures {
  const waiting = async () => (await node.call('getrawmempool')) as string[];

  /** What the exchange has sent and waits is in no block until it pays more. */
  async function leaveOut(): Promise<void> {
    for (const id of await waiting())
      if (!isOwn(id)) await node.call('prioritisetransaction', id, 0, UNWANTED).catch(() => undefined);
  }

  /** In the place of the last blocks come some that have an earlier transaction of the exchange, where one still can be. */
  async function offerOlder(random: Random): Promise<void> {
    const depth = random.between(1, 4);
    await node.drop(depth);
    const known = new Set(await waiting());
    for (const body of sent.slice(-REMEMBERED)) {
      const [raw] = (JSON.parse(body) as { params: [string] }).params;
      const { txid } = (await node.call('decoderawtransaction', raw)) as { txid: string };
      if (known.has(txid)) continue;
      await node.call('generateblock', node.addressHere(MINER), [raw]).catch(() => undefined);
    }
    await node.mineEmpty(depth + 1);
  }

  return {
    'the node was started again': () => node.restart(),
    'blocks were replaced': async (random) => {
      const depth = random.between(1, 5);
      await node.drop(depth);
      await node.mineEmpty(depth + 1);
    },
    'payments were left out': leaveOut,
    'older payments were offered': offerOlder,
  };
}

/** A node behind a gate, and the address by which it is reached through it. */
async function openGateOf(node: Node) {
  const { username, password, host } = new URL(node.url);
  const gate = await openGate(`http://${host}/`, 'sendrawtransaction');
  return { gate, url: `http://${username}:${password}@127.0.0.1:${gate.port}/` };
}

/** A second node, which the server asks too: it hears of blocks from the first. */
async function startSecond(node: Node) {
  const second = await startBitcoinNode(node);
  const { gate, url } = await openGateOf(second);
  return {
    url,
    failures: {
      ...doorFailures(gate, 'the second node'),
      // Nobody else connects them again.
      'the node was started again': async () => {
        await node.restart();
        await node.connect(second);
      },
      // The first goes on, so that the second is behind, or on a shorter branch, until both meet.
      'both nodes were apart': async (random: Random) => {
        await second.disconnect();
        if (random.chance(50)) await second.mineTo(MINER, 1);
        await pause(random.between(500, 4000));
        await second.connect(node);
      },
    },
    async stop() {
      gate.close();
      await second.stop();
    },
  };
}

/** @param payments how often `pay` is called at most @param nodes how many the server asks: 1 or 2 */
export async function startBitcoinChain(payments: number, nodes: 1 | 2): Promise<AttackedChain> {
  const node = await startBitcoinNode();
  // Nothing that was started is left behind where the rest does not start.
  const endNode = async (error: unknown) => {
    await node.stop();
    throw error;
  };
  const coins = await split(node, payments).catch(endNode);
  const second = nodes === 2 ? await startSecond(node).catch(endNode) : undefined;
  const outsider = createOutsider(node, coins);
  const { gate, url } = await openGateOf(node);
  return {
    ...{ network: 'BTC', coin: 'BTC', costCoin: 'BTC', fee: units('0.000068'), grain: units('0.00001') },
    ...{ deposits: [140, 190], withdrawals: [20, 100] },
    settings: { BTC_RPC_URL: url, BTC_NETWORK: 'regtest', ...(second && { BTC_RPC_URL_2: second.url }) },
    policy: {
      ...{ format: 'bitcoin', fee_cap: '10000000', most_fees_per_day: '1000000000000000000000000' },
      coins: [{ contract: null, most_per_payment: '1000000000', most_per_day: '100000000000' }],
    },
    figures: 'credited_at = 2, unlocked_at = 12, withdraw_confirmations = 6',
    async endow(hot) {
      for (let made = 1; made <= ENDOWMENT.coins; made += 1) {
        await node.pay({ [hot]: ENDOWMENT.each });
        if (made % IN_A_ROW === 0) await node.mine(1);
      }
    },
    pay: outsider.pay,
    elsewhere: bitcoinElsewhere,
    async held(address) {
      const found = await outsider.asked('scantxoutset', 'start', [`addr(${node.addressHere(address)})`]);
      return units(String((found as { total_amount: string | number }).total_amount));
    },
    undone: () => 0,
    async mine() {
      await node.mineTo(MINER, 1).catch(() => undefined);
      await outsider.mined();
    },
    failures: { ...doorFailures(gate), ...failuresOf(node, outsider, gate.sent), ...second?.failures },
    async stop() {
      await second?.stop();
      gate.close();
      await node.stop();
    },
  };
}
