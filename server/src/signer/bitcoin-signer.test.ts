/** What the signer signs of Bitcoin, and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptOf } from '../funds/chains/bitcoin-addresses.ts';
import { readTransaction } from '../funds/chains/bitcoin-block.ts';
import { feeOf, virtualBytes } from '../funds/chains/bitcoin-selection.ts';
import type { BitcoinTerms } from '../funds/chains/transactions.ts';
import type { Intent, SignAnswer } from './intent.ts';
import type { Policy } from './policy.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';

const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const OLD = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
const SHARED = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG';

let folder: string;
let policy: Policy;
const open = () =>
  new Signer({
    ...{ seed: Buffer.alloc(32, 1), policy: () => policy, clock: { now: () => 0 } },
    signed: new SignedFile(join(folder, 'signed.jsonl'), 'make'),
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cambist-signer-'));
  const coins = [{ contract: null, most_per_payment: 10_000_000n, most_per_day: 25_000_000n }];
  policy = { networks: { BTC: { format: 'bitcoin', fee_cap: 50_000n, most_fees_per_day: 10n ** 30n, coins } } };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const coin = (digit: string, units: bigint, index: number | null = null) => ({
  ...{ transaction: digit.repeat(64), output: 1, units, index },
});
const termsOf = (change: Partial<BitcoinTerms> = {}): BitcoinTerms => ({
  ...{ format: 'bitcoin', inputs: [coin('a', 9_000_000n)], others: [], change: 7_998_000n, fee: 2_000n },
  ...change,
});
const intentOf = (change: Partial<Intent> = {}, units = 1_000_000n, address = TAPROOT): Intent => ({
  ...{ id: 'book:1', attempt: 1, source: null, terms: termsOf() },
  payment: { network: 'BTC', contract: null, address, units },
  ...change,
});
const along = (id: string, address: string, units: bigint) => ({ id, address, units });
const code = (answer: SignAnswer) => (answer.ok ? 'signed' : answer.code);
const signed = (answer: SignAnswer) => {
  if (!answer.ok) throw new Error(`Refused: ${answer.code}`);
  return answer;
};

describe('the signer of Bitcoin', () => {
  it('pays what is wanted, and gives the rest back to its own hot wallet', async () => {
    const signer = open();
    const others = [along('book:2', OLD, 500_000n), along('book:3', SHARED, 600_000n)];
    const inputs = [coin('a', 2_000_000n), coin('b', 1_000_000n)];
    const terms = termsOf({ inputs, others, change: 898_000n });
    const answer = signed(await signer.sign(intentOf({ terms })));
    const read = readTransaction(answer.raw);
    const script = (address: string) => scriptOf(address, 'mainnet')?.toString('hex');
    expect(read.outputs.map((one) => [one.script.toString('hex'), one.units])).toEqual([
      [script(TAPROOT), 1_000_000n],
      [script(OLD), 500_000n],
      [script(SHARED), 600_000n],
      [script(signer.hotAddress('BTC')), 898_000n],
    ]);
    expect(read.id).toBe(answer.transaction);
    expect(read.inputs.map(({ transaction }) => transaction[0])).toEqual(['a', 'b']);
    // Below the last two, it can be replaced.
    expect(read.inputs.every(({ sequence }) => sequence === 0xfffffffd)).toBe(true);
    const scripts = read.outputs.map((one) => one.script);
    expect(BigInt(read.virtualBytes)).toBeLessThanOrEqual(virtualBytes(2, scripts));
    expect(BigInt(read.virtualBytes)).toBeGreaterThanOrEqual(virtualBytes(2, scripts) - 2n);
    expect(feeOf(virtualBytes(2, scripts), 1000n)).toBeLessThan(
      answer.terms.format === 'bitcoin' ? answer.terms.fee : 0n,
    );
  });

  it('does not sign what does not add up, is of another network, or would not be relayed', async () => {
    const signer = open();
    const broken = [
      intentOf({ terms: termsOf({ change: 7_998_001n }) }),
      intentOf({ terms: termsOf({ inputs: [coin('a', 9_000_000n), coin('a', 9_000_000n)], change: 16_998_000n }) }),
      intentOf({ terms: termsOf({ change: 8_000_000n, fee: 1_999_707n, inputs: [coin('a', 10_000_000n)] }) }, 293n),
      intentOf({ terms: termsOf({ inputs: [coin('a', 1_002_200n)], change: 200n }) }),
    ];
    for (const intent of broken) {
      const refused = await signer.sign(intent).then(code, () => 'thrown');
      expect(['thrown', 'FEE']).toContain(refused);
    }
    expect(code(await signer.sign(intentOf({}, 1_000_000n, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080')))).toBe(
      'NOT_ALLOWED',
    );
    expect(code(await signer.sign(intentOf({ terms: termsOf({ others: [along('book:2', 'bc1q', 1n)] }) })))).toBe(
      'NOT_ALLOWED',
    );
    expect(code(await signer.sign(intentOf({ terms: termsOf({ change: 7_949_999n, fee: 50_001n }) })))).toBe('FEE');
    const development = { format: 'development', nonce: 0, fee: 1n } as const;
    expect(code(await signer.sign(intentOf({ terms: development })))).toBe('NOT_ALLOWED');
    expect(code(await signer.sign(intentOf()))).toBe('signed');
  });

  it('does not let what goes along with a payment to the cold wallet, or to the hot one, pass the limits', async () => {
    const bitcoin = policy.networks.BTC as NonNullable<typeof policy.networks.BTC>;
    const much = 30_000_000n;
    const terms = termsOf({
      inputs: [coin('a', 40_000_000n)],
      others: [along('book:2', OLD, much)],
      change: 8_998_000n,
    });
    policy.networks.BTC = { ...bitcoin, cold_address: TAPROOT };
    expect(code(await open().sign(intentOf({ terms })))).toBe('NOT_ALLOWED');
    policy.networks.BTC = { ...bitcoin, only_to: TAPROOT };
    expect(code(await open().sign(intentOf({ terms })))).toBe('NOT_ALLOWED');
    expect(code(await open().sign(intentOf({ source: 7, terms })))).toBe('NOT_ALLOWED');
  });

  /** What two clients have, brought to the hot wallet. */
  function sweepOf(signer: Signer, change: Partial<BitcoinTerms> = {}, more: Partial<Intent> = {}): Intent {
    const hot = signer.hotAddress('BTC');
    const inputs = [coin('a', 2_000_000n, 7), coin('b', 1_000_000n, 8), coin('c', 500_000n, 7)];
    const others = [{ ...along('book:sweep:2', hot, 1_000_000n), index: 8 }];
    const terms = termsOf({ inputs, others, change: 0n, fee: 3_000n, ...change });
    return intentOf({ id: 'book:sweep:1', source: 7, terms, ...more }, 2_500_000n, hot);
  }

  it('brings the coins of clients to its own hot wallet in one output, each by its own key, and by no limit of a day', async () => {
    const signer = open();
    const bitcoin = policy.networks.BTC as NonNullable<typeof policy.networks.BTC>;
    policy.networks.BTC = { ...bitcoin, coins: [{ contract: null, most_per_payment: 1n, most_per_day: 1n }] };
    const answer = signed(await signer.sign(sweepOf(signer)));
    const read = readTransaction(answer.raw);
    const script = scriptOf(signer.hotAddress('BTC'), 'mainnet');
    expect(read.outputs).toEqual([{ script, units: 3_497_000n }]);
    expect(new Set(read.inputs.map(({ witness }) => witness[1]?.toString('hex'))).size).toBe(2);
    // The one that went along has its answer, and each of its coins belongs to them.
    const second = intentOf(
      { id: 'book:sweep:2', source: 8, terms: termsOf({ inputs: [coin('b', 1_000_000n, 8)], change: 0n }) },
      1_000_000n,
      signer.hotAddress('BTC'),
    );
    expect(signed(await open().sign(second))).toMatchObject({ id: 'book:sweep:1', transaction: answer.transaction });
    expect(code(await open().sign({ ...second, id: 'book:sweep:3' }))).toBe('CLAIMED');
    expect(code(await open().sign({ ...second, source: 9 }))).toBe('CHANGED');
    // A replacement pays its higher fee out of the same output.
    expect(code(await open().sign(sweepOf(signer, { fee: 3_374n }, { attempt: 2 })))).toBe('NOT_A_REPLACEMENT');
    const next = readTransaction(signed(await open().sign(sweepOf(signer, { fee: 3_375n }, { attempt: 2 }))).raw);
    expect(next.outputs).toEqual([{ script, units: 3_496_625n }]);
    expect(next.inputs.map(({ transaction }) => transaction)).toEqual(
      read.inputs.map(({ transaction }) => transaction),
    );
  });

  it('spends no coin of a client for anything else, and none beside what each address was named for', async () => {
    const signer = open();
    const hot = signer.hotAddress('BTC');
    const other = (change: object) => [{ ...along('book:sweep:2', hot, 1_000_000n), index: 8, ...change }];
    const good = sweepOf(signer);
    const [anne, ben, annes] = good.terms.format === 'bitcoin' ? good.terms.inputs : [];
    if (anne === undefined || ben === undefined || annes === undefined) throw new Error('There are no coins');
    const refused: Intent[] = [
      // To whom a payment is, from whose coins.
      { ...good, payment: { ...good.payment, address: TAPROOT } },
      sweepOf(signer, { others: other({ address: TAPROOT }) }),
      { ...good, source: null },
      intentOf({ terms: termsOf({ inputs: [coin('a', 9_000_000n, 7)] }) }),
      intentOf({ terms: termsOf({ inputs: [coin('a', 8_000_000n), coin('b', 1_000_000n, 7)] }) }),
      // What does not add up for each of them.
      sweepOf(signer, { others: other({ index: undefined }) }),
      sweepOf(signer, { others: other({ index: 7 }) }),
      sweepOf(signer, { others: other({ units: 999_999n }) }),
      sweepOf(signer, { inputs: [anne, { ...ben, index: 9 }, annes] }),
      sweepOf(signer, { inputs: [anne, { ...ben, index: null }, annes] }),
      sweepOf(signer, { inputs: [anne, ben] }),
      sweepOf(signer, { inputs: [anne, ben, annes, coin('d', 1_000n)] }),
      sweepOf(signer, { change: 1_000n }),
    ];
    for (const [at, intent] of refused.entries())
      expect([at, code(await signer.sign(intent))]).toEqual([at, 'NOT_ALLOWED']);
    expect(code(await signer.sign(sweepOf(signer, { fee: 50_001n })))).toBe('FEE');
    // Dust is no output, and one coin is not spent twice.
    const little = intentOf(
      { source: 7, terms: termsOf({ inputs: [coin('e', 3_200n, 7)], change: 0n, fee: 3_000n }) },
      3_200n,
      hot,
    );
    await expect(signer.sign(little)).rejects.toThrow('no node would pass on');
    const twice = termsOf({ inputs: [annes, annes], change: 0n, fee: 3_000n });
    await expect(signer.sign(intentOf({ source: 7, terms: twice }, 1_000_000n, hot))).rejects.toThrow('An input twice');
    expect(code(await signer.sign(good))).toBe('signed');
  });

  it('counts each payment of a transaction against the limits', async () => {
    const signer = open();
    const with2 = (id: string, units: bigint, digit: string) =>
      intentOf({
        ...{
          id,
          terms: termsOf({
            inputs: [coin(digit, 90_000_000n)],
            others: [along(`${id}b`, OLD, units)],
            change: 89_998_000n - 1_000_000n - units,
          }),
        },
      });
    expect(code(await signer.sign(with2('book:1', 10_000_001n, 'a')))).toBe('NOT_ALLOWED');
    expect(code(await signer.sign(with2('book:2', 10_000_000n, 'b')))).toBe('signed');
    expect(code(await signer.sign(with2('book:3', 10_000_000n, 'c')))).toBe('signed');
    expect(code(await signer.sign(with2('book:4', 2_000_001n, 'd')))).toBe('DAY');
    expect(code(await open().sign(with2('book:4', 2_000_001n, 'd')))).toBe('DAY');
    expect(code(await signer.sign(with2('book:5', 2_000_000n, 'e')))).toBe('signed');
  });

  it('pays each payment once for ever, whichever it went along with, and an input belongs to one (faults 1, 3, 4)', async () => {
    const first = intentOf({ terms: termsOf({ others: [along('book:2', OLD, 500_000n)], change: 7_498_000n }) });
    const one = open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.sign(first)));
    expect(new Set(answers.map((answer) => signed(answer).raw)).size).toBe(1);
    for (const signer of [open(), open()]) {
      const alone = intentOf(
        { id: 'book:2', terms: termsOf({ inputs: [coin('b', 1_500_000n)], change: 998_000n }) },
        500_000n,
        OLD,
      );
      // It has been paid with the first one: that is the answer, and nothing new is signed.
      expect(signed(await signer.sign(alone))).toMatchObject({
        id: 'book:1',
        transaction: signed(answers[0] as SignAnswer).transaction,
      });
      expect(signer.signed('book:2')).toEqual(signer.signed('book:1'));
      expect(code(await signer.sign(intentOf({ id: 'book:2' }, 500_001n, OLD)))).toBe('CHANGED');
      const again = termsOf({
        inputs: [coin('c', 9_000_000n)],
        others: [along('book:2', OLD, 500_000n)],
        change: 7_498_000n,
      });
      expect(code(await signer.sign(intentOf({ id: 'book:4', terms: again })))).toBe('CHANGED');
      const twice = [along('book:5', OLD, 500_000n), along('book:5', OLD, 500_000n)];
      expect(
        code(await signer.sign(intentOf({ id: 'book:4', terms: termsOf({ others: twice, change: 6_998_000n }) }))),
      ).toBe('CHANGED');
      const oneself = termsOf({
        inputs: [coin('d', 9_000_000n)],
        others: [along('book:4', OLD, 500_000n)],
        change: 7_498_000n,
      });
      expect(code(await signer.sign(intentOf({ id: 'book:4', terms: oneself })))).toBe('CHANGED');
      expect(code(await signer.sign(intentOf({ id: 'book:4' })))).toBe('CLAIMED');
    }
  });

  it('replaces a transaction by one that spends and pays the same, for a higher fee out of the change (fault 21)', async () => {
    const signer = open();
    const others = [along('book:2', OLD, 500_000n)];
    const first = signed(await signer.sign(intentOf({ terms: termsOf({ others, change: 7_498_000n }) })));
    const raised = (fee: bigint, more: Partial<BitcoinTerms> = {}) =>
      intentOf({ attempt: 2, terms: termsOf({ others, change: 7_500_000n - fee, fee, ...more }) });
    expect(code(await signer.sign(raised(2_249n)))).toBe('NOT_A_REPLACEMENT');
    expect(code(await signer.sign(raised(3_000n, { inputs: [coin('b', 9_000_000n)] })))).toBe('NOT_A_REPLACEMENT');
    expect(code(await signer.sign(raised(3_000n, { others: [], change: 7_997_000n })))).toBe('NOT_A_REPLACEMENT');
    expect(code(await signer.sign(raised(50_001n)))).toBe('FEE');
    expect(code(await signer.sign({ ...raised(3_000n), id: 'book:2' }))).toBe('CHANGED');
    // It may take more, but nothing in the place of what it had, and nothing that another has.
    const more = { inputs: [coin('b', 1_000n), coin('a', 9_000_000n)], change: 7_498_000n };
    expect(code(await signer.sign(raised(3_000n, more)))).toBe('NOT_A_REPLACEMENT');
    expect(
      code(await signer.sign(intentOf({ id: 'book:7', terms: termsOf({ inputs: [coin('c', 9_000_000n)] }) }))),
    ).toBe('signed');
    const taken = { inputs: [coin('a', 9_000_000n), coin('c', 9_000_000n)], change: 16_497_000n };
    expect(code(await signer.sign(raised(3_000n, taken)))).toBe('CLAIMED');
    const second = signed(await signer.sign(raised(3_000n)));
    const [before, after] = [first, second].map(({ raw }) => readTransaction(raw));
    expect(after?.inputs.map(({ transaction }) => transaction)).toEqual(
      before?.inputs.map(({ transaction }) => transaction),
    );
    expect(after?.outputs.slice(0, 2)).toEqual(before?.outputs.slice(0, 2));
    expect((before?.outputs[2]?.units ?? 0n) - (after?.outputs[2]?.units ?? 0n)).toBe(1_000n);
    const wider = termsOf({
      others,
      inputs: [coin('a', 9_000_000n), coin('b', 500_000n)],
      change: 7_996_000n,
      fee: 4_000n,
    });
    const third = readTransaction(signed(await signer.sign(intentOf({ attempt: 3, terms: wider }))).raw);
    expect(third.inputs.map(({ transaction }) => transaction[0])).toEqual(['a', 'b']);
  });
});
