/** What simulations of payouts and sweeps do with their stages: things happen, and processes work and end wherever fate wants it. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Random } from '@cambist/core/simulation/random.ts';
import { type Fate, fateAt, fateBy } from './mortal-database.ts';
import type { Process } from './payout-stage.ts';

type Work = () => Promise<unknown>;

interface Simulated {
  readonly clock: { at: number };
  readonly runner: Process['runner'];
  beside(): Process;
  syncUnder(fate: Fate, works: readonly Work[]): Promise<boolean>;
  restart(): void;
}

/** What a process does beside another. */
const worksOf = ({ runner, costs, works }: Process): Work[] => [() => runner.run(), costs, ...works];

/** @param idle of how many turns in a hundred nothing works @returns how many processes have ended */
export async function liveThrough(
  stage: Simulated,
  random: Random,
  { turns, restMs, idle = 33, act }: { turns: number; restMs: number; idle?: number; act: () => unknown },
): Promise<number> {
  let kills = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    await act();
    stage.clock.at += random.between(0, restMs);
    if (random.between(0, 99) < idle) continue;
    const beside = random.between(0, 3) === 0 ? worksOf(stage.beside()) : [];
    const wakes = Array.from({ length: random.between(0, 9) === 0 ? 20 : 0 }, () => () => stage.runner.run());
    if (await stage.syncUnder(fateBy(random), [...beside, ...wakes])) {
      kills += 1;
      stage.restart();
    }
  }
  return kills;
}

/**
 * A process that ends at its first step, then one that ends at its second, and so on, every third with another beside it.
 * @returns how many have ended
 */
export async function endAtEachStep(
  stage: Simulated,
  steps: number,
  between: (step: number) => unknown = () => undefined,
): Promise<number> {
  let kills = 0;
  for (let step = 1; step < steps; step += 1) {
    const beside = step % 3 === 0 ? worksOf(stage.beside()) : [];
    if (await stage.syncUnder(fateAt(step), beside)) {
      kills += 1;
      stage.restart();
    }
    await between(step);
  }
  return kills;
}

interface Sweeping {
  readonly clock: { at: number };
  readonly sweeps: { open(network: NetworkName): Promise<readonly unknown[]> };
  readonly store: { open(network: NetworkName, limit: number): Promise<readonly unknown[]> };
  blocks(count: number): Promise<void>;
}

/** Blocks without a fault until nothing is underway any more. @param least of them, in which what is planned would begin */
export async function untilQuiet(stage: Sweeping, network: NetworkName, least: number, restMs = 61_000): Promise<void> {
  for (let made = 1; made <= 400; made += 1) {
    await stage.blocks(1);
    stage.clock.at += restMs;
    const isOpen = (await stage.sweeps.open(network)).length + (await stage.store.open(network, 1)).length > 0;
    if (made > least && !isOpen) return;
  }
  throw new Error(`Something of ${network} is underway for ever`);
}
