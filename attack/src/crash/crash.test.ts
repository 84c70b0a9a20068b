/**
 * A client that knows nothing of the server's code trades over HTTP and listens to the stream while the server is
 * killed with SIGKILL, again and again on the same data. After each death everything that it was told must hold.
 */
import { describe, expect, it } from 'vitest';
import { Unanswered } from '../http.ts';
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { type DatabaseKind, databaseKinds, startTarget, type Target } from '../target.ts';
import { carryOut, newTrader, type Trader, tradeUntilDeath } from './trader.ts';
import { Judge, oneSided } from './verdict.ts';

const TRADERS = 6;
const REPEATED = 10;
const { kills, seed } = sizes;

interface Court {
  readonly target: Target;
  readonly traders: readonly Trader[];
  readonly judges: readonly Judge[];
}

async function openCourt(kind: DatabaseKind, settings: Record<string, string>): Promise<Court> {
  const target = await startTarget(kind, settings);
  const names = Array.from({ length: TRADERS }, (_, index) => index);
  const traders = await Promise.all(names.map((index) => newTrader(() => target.http, index)));
  return { target, traders, judges: traders.map((trader) => new Judge(trader)) };
}

async function killWhileTrading({ target, traders }: Court, round: number): Promise<void> {
  const random = new Random(seed + round);
  const { http } = target;
  const trading = traders.map((trader, index) =>
    tradeUntilDeath(http, trader, round, new Random((seed + round) * 1000 + index)),
  );
  await new Promise((resolve) => setTimeout(resolve, 50 + random.fraction() * 700));
  await target.kill();
  await Promise.all(trading);
}

/** What was not answered is sent again under its key. */
async function settleUnanswered(trader: Trader): Promise<void> {
  const { promises } = trader;
  const open = promises.unanswered;
  promises.unanswered = [];
  for (const intent of open) await carryOut(trader, intent);
}

async function verdict({ traders, judges }: Court, isLast: boolean): Promise<string[]> {
  const repeated = await Promise.all(
    judges.map((judge, index) => judge.repeats(traders[index]?.promises.acknowledged.slice(-REPEATED) ?? [])),
  );
  await Promise.all(traders.map(settleUnanswered));
  const judged: string[] = [];
  for (const judge of judges) judged.push(...(await judge.judge(isLast)));
  return [...repeated.flat(), ...judged, ...oneSided(judges)];
}

describe.each(databaseKinds)('a server that is killed under load (%s)', (kind) => {
  it(`keeps every promise over ${kills} deaths (seed ${seed})`, { timeout: 60_000 + kills * 40_000 }, async () => {
    const court = await openCourt(kind, {});
    try {
      for (let round = 1; round <= kills; round += 1) {
        await killWhileTrading(court, round);
        await court.target.restart();
        expect(await verdict(court, round === kills), `seed ${seed}, death ${round}`).toEqual([]);
      }
      const promised = court.traders.flatMap(({ promises }) => promises.acknowledged);
      expect(promised.length).toBeGreaterThan(kills * TRADERS);
      expect(court.traders.flatMap(({ promises }) => promises.fills()).length).toBeGreaterThan(kills);
      expect(court.target.defects()).toEqual([]);
    } finally {
      await court.target.remove();
    }
  });

  it('is found out when it keeps nothing: the control without durability', { timeout: 120_000 }, async () => {
    const court = await openCourt(kind, { DURABILITY: 'none' });
    try {
      await killWhileTrading(court, 1);
      await court.target.restart();
      const found = await verdict(court, true).catch((error: unknown) => {
        // What was acknowledged cannot even be asked for again.
        if (error instanceof Unanswered) return [error.message];
        throw error;
      });
      expect(found.filter((line) => /is gone|became/.test(line)).length).toBeGreaterThan(TRADERS);
    } finally {
      await court.target.remove();
    }
  });
});
