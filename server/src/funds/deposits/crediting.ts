/**
 * Brings into the ledger what watchers have written down: credits what is deep enough, unlocks what is deeper, and takes
 * back what is no longer part of its chain. One round at a time for all chains.
 *
 * A command to the ledger is a row with its sequence before it is submitted, and is submitted again under the same
 * sequence until it is known to be done: the ledger takes no sequence twice. What is owed by a client is taken from the
 * next credit in the same turn, so that nothing comes in between.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Statement } from '../../platform/database.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import { type CoinNetwork, ledgerAmount } from '../chains/service.ts';
import {
  CREDITS,
  type CreditingStore,
  type Debt,
  type Due,
  type DustChange,
  type Movement,
  type Owned,
  REVERSALS,
} from './crediting-store.ts';
import type { Debts } from './debts.ts';

/** `again`: nothing was done, or it is not known; the same sequence is submitted later. */
export type Answer = 'done' | 'insufficient' | 'refused' | 'again';

export interface DepositLedger {
  /** Resolves once it is committed, also where an earlier submission was. Enters the queue in the order of the calls. */
  submit(movement: Movement): Promise<Answer>;
  /** What a client has available in each wallet; of futures what positions leave free. */
  available(owner: number, asset: number): Available;
}

export interface Available {
  readonly spot: bigint;
  readonly funding: bigint;
  readonly future: bigint;
}

/** A deposit, and what was credited or taken back. */
export interface Told {
  readonly deposit: Due;
  readonly amount: bigint;
}

export interface Notices {
  /** For the transaction that credits deposits or takes them back. */
  of(what: 'credited' | 'reversed', all: readonly Told[]): readonly Statement[];
}

/** What an operator must look at. */
export interface Alarms {
  /** For the transaction that it is about; logged at once. */
  statement(kind: string, detail: string): Statement;
}

export interface CreditingDeps {
  readonly alarms: Alarms;
  readonly store: CreditingStore;
  readonly debts: Debts;
  /** Ends what a debtor has open, but for what only reduces a position: what orders hold pays too. @returns whether it did */
  readonly stopOrders: (owner: number) => Promise<boolean>;
  readonly ledger: DepositLedger;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Decimals of an asset in the ledger. */
  readonly scaleOf: (asset: number) => number;
  readonly notices: Notices;
  /** Those of these clients whose accounts have ended. */
  readonly erasedOf: (clientIds: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Called with deposits whose state has changed. Must not throw. */
  readonly onChange: (deposits: readonly Owned[]) => Promise<void>;
  readonly clock: { now(): number };
}

/** Debts that one round collects, at most. */
const COLLECTED = 1000;
/** Credits of one round: few, so that an order waits for little where it meets one. */
const ROUND = 20;
/**
 * While there is more, a round begins so long after the one before, and rests for as long as that took where it takes
 * longer: a full block of deposits is spread evenly, and leaves orders the most of the time.
 */
const ROUND_MS = 50;

type Plan = Omit<Movement, 'sequence' | 'source'>;

/** Spot pays first, then funding, then what is free of futures. Nothing where there is nothing. */
function takeOf({ owner, asset, amount }: Debt, { spot, funding, future }: Available): Plan | undefined {
  const upTo = (most: bigint, there: bigint) => (there <= 0n ? 0n : there < most ? there : most);
  const ofSpot = upTo(amount, spot);
  const ofFunding = upTo(amount - ofSpot, funding);
  const ofFuture = upTo(amount - ofSpot - ofFunding, future);
  const taken = ofSpot + ofFunding + ofFuture;
  return taken > 0n ? { deposit: null, owner, asset, amount: taken, funding: ofFunding, future: ofFuture } : undefined;
}

const debtorOf = ({ owner, asset }: { readonly owner: number; readonly asset: number }) => `${owner} ${asset}`;

function chainScaleOf({ coin, network }: Due, coins: readonly CoinNetwork[]): number {
  const figures = coins.find((one) => one.coin === coin && one.network === network);
  if (figures === undefined) throw new Error(`${coin} has no figures on ${network}`);
  return figures.chain_scale;
}

export class Crediting {
  readonly #deps: CreditingDeps;
  #reversals = 0;
  /** Debtors whose orders have been ended. */
  readonly #stopped = new Set<number>();

  constructor(deps: CreditingDeps) {
    this.#deps = deps;
  }

  /** Credited deposits that have left their chain, since the start. */
  get reversalCount(): number {
    return this.#reversals;
  }

  /** Does all that there is to do now. Rejects where the database is away or another process writes; the next run goes on. */
  readonly run = oneAtATime(async () => {
    await this.#deps.store.begin();
    const coins = await this.#deps.networks.all();
    await this.#bringIn(coins);
    const unlocked = await this.#deps.store.unlock(coins, this.#deps.clock.now());
    if (unlocked.length > 0) await this.#deps.onChange(unlocked);
    if (await this.#reverse(coins)) await this.#bringIn(coins);
    if (await this.#stopDebtors()) await this.#bringIn(coins);
  });

  /** @returns whether orders were ended */
  async #stopDebtors(): Promise<boolean> {
    const { debts, stopOrders } = this.#deps;
    for (const owner of this.#stopped) if (!debts.has(owner)) this.#stopped.delete(owner);
    const running = [...debts.debtors()].filter((owner) => !this.#stopped.has(owner));
    for (const owner of running) if (await stopOrders(owner)) this.#stopped.add(owner);
    return running.length > 0;
  }

  /** Round after round, until nothing more is due or the ledger does not take it now. */
  async #bringIn(coins: readonly CoinNetwork[]): Promise<void> {
    for (;;) {
      const began = performance.now();
      if (!(await this.#submit())) return;
      const planned = await this.#plan(coins);
      if (planned === 0) return;
      const worked = performance.now() - began;
      if (planned >= ROUND) await sleep(Math.max(ROUND_MS - worked, worked));
    }
  }

  /** @returns how much was planned */
  async #plan(coins: readonly CoinNetwork[]): Promise<number> {
    const { store } = this.#deps;
    const credits = this.#credits(await store.due(coins, ROUND), coins);
    const owed = await store.debts();
    this.#deps.debts.restore(owed);
    const reversals = this.#takes(owed, credits);
    await store.plan(credits, reversals);
    return credits.length + reversals.length;
  }

  /** With each deposit goes what earlier ones have left at its address. */
  #credits(due: readonly Due[], coins: readonly CoinNetwork[]): Plan[] {
    const dust = new Map<string, bigint>();
    return due.flatMap((deposit): Plan[] => {
      const at = `${deposit.network} ${deposit.address} ${deposit.coin}`;
      const units = deposit.units + (dust.get(at) ?? deposit.dust);
      const { amount, rest } = ledgerAmount(units, chainScaleOf(deposit, coins), this.#deps.scaleOf(deposit.asset));
      // Dust below zero can be more than a small deposit: it waits for the next one.
      if (amount <= 0n) return [];
      dust.set(at, rest);
      const { id, owner, asset } = deposit;
      return [{ deposit: id, owner, asset, amount, funding: 0n, future: 0n }];
    });
  }

  /** What debtors can pay now, with what they are about to get. */
  #takes(debts: readonly Debt[], credits: readonly Plan[]): Plan[] {
    if (debts.length === 0) return [];
    const coming = new Map<string, bigint>();
    for (const credit of credits) coming.set(debtorOf(credit), (coming.get(debtorOf(credit)) ?? 0n) + credit.amount);
    const takes = debts.flatMap((debt): Plan[] => {
      const has = this.#deps.ledger.available(debt.owner, debt.asset);
      const take = takeOf(debt, { ...has, spot: has.spot + (coming.get(debtorOf(debt)) ?? 0n) });
      return take === undefined ? [] : [take];
    });
    // The free margin of a futures wallet moves with the mark, so a collection from it may be refused. It comes last and delays no other.
    return takes.sort((one, other) => Number(one.future > 0n) - Number(other.future > 0n)).slice(0, COLLECTED);
  }

  /** Submits what is planned, credits first and all in one turn. @returns whether all of it is done */
  async #submit(): Promise<boolean> {
    const { store, ledger } = this.#deps;
    const planned = await store.undone();
    if (planned.length === 0) return true;
    const credits = planned.filter(({ source }) => source === CREDITS);
    const reversals = planned.filter(({ source }) => source === REVERSALS);
    const [credited, taken] = await Promise.all(
      [credits, reversals].map((movements) => Promise.all(movements.map((movement) => ledger.submit(movement)))),
    );
    const areCredited = await this.#finishCredits(credits, credited ?? []);
    const areTaken = await this.#finishReversals(reversals, taken ?? []);
    return areCredited && areTaken;
  }

  async #finishCredits(movements: readonly Movement[], answers: readonly Answer[]): Promise<boolean> {
    const { store, clock, alarms, onChange } = this.#deps;
    const first = answers.findIndex((answer) => answer !== 'done');
    const done = first === -1 ? movements : movements.slice(0, first);
    if (done.length > 0) {
      const ids = done.map(({ deposit }) => deposit ?? 0);
      await this.#writeCredits(done, new Map((await store.byIds(ids)).map((deposit) => [deposit.id, deposit])));
      await onChange(done.map(({ deposit, owner }) => ({ id: deposit ?? 0, owner })));
    }
    const [refused, answer] = [movements[first], answers[first]];
    if (refused === undefined) return true;
    if (answer === 'again') return false;
    const alarm = alarms.statement('deposit-refused', `The ledger does not take deposit ${refused.deposit}`);
    await store.refuse(refused, clock.now(), alarm);
    return true;
  }

  async #writeCredits(done: readonly Movement[], deposits: ReadonlyMap<number, Due>): Promise<void> {
    const { store, networks, notices, clock } = this.#deps;
    const coins = await networks.all();
    const credited = done.map(({ deposit: id, amount }) => {
      const deposit = deposits.get(id ?? 0);
      if (deposit === undefined) throw new Error(`Deposit ${id} was credited and has no row`);
      return { deposit, amount };
    });
    const dust = credited.map(({ deposit, amount }) => this.#dust(deposit, amount, 1n, coins));
    const effects = [...notices.of('credited', credited), ...(await this.#lateFor(credited))];
    await store.credited(done, dust, clock.now(), effects);
  }

  /** Addresses stay when an account ends: what comes to one is the person's still, who cannot open the account. */
  async #lateFor(credited: readonly Told[]): Promise<Statement[]> {
    const { alarms, erasedOf, scaleOf } = this.#deps;
    const erased = await erasedOf([...new Set(credited.map(({ deposit }) => deposit.owner))]);
    const late = credited.filter(({ deposit }) => erased.has(deposit.owner));
    return late.map(({ deposit: { id, owner, coin, network, asset }, amount }) => {
      const what = `${formatAmount(amount, scaleOf(asset))} ${coin} by ${network}`;
      return alarms.statement(
        'deposit-to-closed-account',
        `Deposit ${id}: ${what} came to client ${owner}, whose account is closed`,
      );
    });
  }

  /** What crediting (1) or taking back (−1) an amount leaves at the address. */
  #dust(deposit: Due, amount: bigint, sign: 1n | -1n, coins: readonly CoinNetwork[]): DustChange {
    const { network, address, coin, asset, units } = deposit;
    const [chain, ledger] = [chainScaleOf(deposit, coins), this.#deps.scaleOf(asset)];
    const inChain = chain >= ledger ? amount * 10n ** BigInt(chain - ledger) : amount / 10n ** BigInt(ledger - chain);
    return { network, address, coin, units: sign * (units - inChain) };
  }

  async #finishReversals(movements: readonly Movement[], answers: readonly Answer[]): Promise<boolean> {
    const { store } = this.#deps;
    const first = answers.findIndex((answer) => answer !== 'done');
    const done = first === -1 ? movements : movements.slice(0, first);
    if (done.length > 0) await store.takenBack(done);
    const [refused, answer] = [movements[first], answers[first]];
    if (refused === undefined) return true;
    // The client has spent it meanwhile: what is there now is taken by a new command of the same sequence.
    if (answer !== 'again') await store.forget(REVERSALS, refused.sequence);
    return false;
  }

  /** @returns whether anything is owed that was not before */
  async #reverse(coins: readonly CoinNetwork[]): Promise<boolean> {
    const { store, notices, alarms, clock, onChange, debts } = this.#deps;
    const lost = await store.lost();
    if (lost.length === 0) return false;
    const credited = lost.filter(({ isCredited }) => isCredited);
    const dust = credited.map((deposit) => this.#dust(deposit, deposit.amount, -1n, coins));
    const told = notices.of(
      'reversed',
      credited.map((deposit) => ({ deposit, amount: deposit.amount })),
    );
    const raised = credited.map(({ id, network, coin, amount, asset }) => {
      const text = `Deposit ${id} has left ${network}: ${formatAmount(amount, this.#deps.scaleOf(asset))} ${coin}`;
      return alarms.statement('deposit-reversed', `${text} is taken back`);
    });
    // From this step on the debtor can take nothing away; what the store does not take is read again by the next round.
    debts.add(credited);
    await store.reverse(lost, dust, clock.now(), [...told, ...raised]);
    this.#reversals += credited.length;
    await onChange(lost);
    return credited.length > 0;
  }
}
