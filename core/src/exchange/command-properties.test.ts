import { describe, expect, it } from 'vitest';
import { listing, TEST_MARKETS, TEST_PERPETUALS } from '../simulation/markets.ts';
import { PerpetualWorkload } from '../simulation/perpetual-workload.ts';
import { Random } from '../simulation/random.ts';
import { Workload } from '../simulation/workload.ts';
import type { Command } from './command.ts';
import { COMMANDS, propertiesOf } from './command-codec.ts';
import { createExchange } from './create-exchange.ts';

const WARM_UP = 2_000;
const STEPS = 8_000;

const WORKLOADS = {
  spot: { markets: TEST_MARKETS, create: () => new Workload(new Random(5), TEST_MARKETS, 6) },
  perpetuals: { markets: TEST_PERPETUALS, create: () => new PerpetualWorkload(new Random(5), TEST_PERPETUALS, 6) },
};

/** What became of commands in halted markets that had traded. */
function inHaltedMarkets(name: keyof typeof WORKLOADS): { readonly command: Command; readonly verdict: string }[] {
  const { markets, create } = WORKLOADS[name];
  const workload = create();
  const exchange = createExchange();
  for (const command of listing(markets)) exchange.apply(0, command);
  const seen: { command: Command; verdict: string }[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const { time, command } = workload.next();
    // Halts come and go, so that there is something to cancel in them.
    const isHalted = step > WARM_UP && step % 40 < 20;
    for (const { id: market } of markets) exchange.apply(time, { kind: 'halt-market', market, halted: isHalted });
    const outcome = exchange.apply(time, command);
    exchange.takeBatch();
    if (isHalted) seen.push({ command, verdict: outcome.ok ? 'done' : outcome.reason });
  }
  return seen;
}

describe('the properties of commands', () => {
  const seen = [...inHaltedMarkets('spot'), ...inHaltedMarkets('perpetuals')];
  const of = (whenHalted: 'allowed' | 'refused') =>
    seen.filter(({ command }) => propertiesOf(command.kind).whenHalted === whenHalted);

  it('say what a halted market refuses', () => {
    const refused = of('refused');
    expect(refused.filter(({ verdict }) => verdict === 'done')).toEqual([]);
    const forTheHalt = refused.filter(({ verdict }) => verdict === 'MARKET_HALTED').map(({ command }) => command.kind);
    const kinds = COMMANDS.filter(({ whenHalted }) => whenHalted === 'refused').map(({ kind }) => kind);
    expect([...new Set(forTheHalt)].sort()).toEqual([...kinds].sort());
  });

  it('say what a halt never refuses', () => {
    expect(of('allowed').filter(({ verdict }) => verdict === 'MARKET_HALTED')).toEqual([]);
    const done = new Set(of('allowed').map(({ command, verdict }) => `${command.kind} ${verdict}`));
    for (const kind of ['cancel-order', 'cancel-all-orders', 'transfer', 'adjust-margin', 'set-mark-price'])
      expect(done).toContain(`${kind} done`);
  });

  it('take from whoever is shut out what cancels, and nothing that opens, moves funds or changes terms', () => {
    const allowed = COMMANDS.filter(({ whenFrozen }) => whenFrozen === 'allowed').map(({ kind }) => kind);
    expect(allowed).toEqual(['cancel-order', 'cancel-all-orders', 'stop-orders', 'clear-market']);
  });
});
