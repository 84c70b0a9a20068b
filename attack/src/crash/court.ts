/** Traders of a server that is killed, and whoever judges what it kept. */
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { type DatabaseKind, startTarget, type Target } from '../target.ts';
import { carryOut, newTrader, type Trader, tradeUntilDeath } from './trader.ts';
import { Judge, oneSided } from './verdict.ts';

export const TRADERS = 6;
const REPEATED = 10;
const { seed } = sizes;

export interface Court {
  readonly target: Target;
  readonly traders: readonly Trader[];
  readonly judges: readonly Judge[];
}

export async function openCourt(kind: DatabaseKind, settings: Record<string, string>): Promise<Court> {
  const target = await startTarget(kind, settings);
  const names = Array.from({ length: TRADERS }, (_, index) => index);
  const traders = await Promise.all(names.map((index) => newTrader(() => target.http, index)));
  return { target, traders, judges: traders.map((trader) => new Judge(trader)) };
}

export async function killWhileTrading({ target, traders }: Court, round: number): Promise<void> {
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

export async function verdict({ traders, judges }: Court, isLast: boolean): Promise<string[]> {
  const repeated = await Promise.all(
    judges.map((judge, index) => judge.repeats(traders[index]?.promises.acknowledged.slice(-REPEATED) ?? [])),
  );
  await Promise.all(traders.map(settleUnanswered));
  const judged: string[] = [];
  for (const judge of judges) judged.push(...(await judge.judge(isLast)));
  return [...repeated.flat(), ...judged, ...oneSided(judges)];
}
