/**
 * Sends the payouts of one network, one run at a time. Every step is written down before the next one begins, by a change
 * that holds only where the payout is as it was read: a process may end anywhere, and two may be at it at once. A payment has
 * one nonce for ever, and the signer gives the same bytes for it, so that whatever is sent twice is mined once.
 */

import type { NetworkName } from '@cambist/contract/deposits.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import {
  type Intent,
  type SignedAttempt,
  SignerAway,
  type SignerLink,
  type SignerRefusal,
} from '../../signer/service.ts';
import {
  type BlockHeader,
  type Broadcast,
  type Chain,
  type CoinNetwork,
  canonicalAddress,
  familyOf,
  isOrdered,
  lastsUntil,
  NodeFailure,
  othersOf,
  type Sender,
  type Terms,
  writeJson,
} from '../chains/service.ts';
import type { Following } from './following.ts';
import { isUnderway, missing, paymentOf, sharesPayer } from './funds.ts';
import { type Attempt, type KeptPayout, paymentNamed } from './kept-payout.ts';
import type { Payment, WaitsFor } from './service.ts';
import type { PayoutStore } from './store.ts';

export interface RunnerDeps {
  readonly chain: Chain;
  readonly sender: Sender;
  readonly signer: SignerLink;
  readonly store: PayoutStore;
  readonly following: Following;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Whether the chain is as it is believed to be: nothing is begun otherwise. */
  readonly isTrusted: () => boolean;
  /** Whether payouts of a coin stand still, since chains hold less of it than they owe. */
  readonly isStopped: (coin: string) => boolean;
  /** Raises an alarm for an operator. */
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: { warn(detail: object, message: string): void };
}

/** Open payouts that are looked at in one run. */
const LOOKED_AT = 500;
/** Signed and in no block, at most: what is wrong with one is soon seen. */
const MAXIMUM_UNDERWAY = 16;
/** What was refused, or would fail, is tried again after so long. */
const RETRY_MS = 60_000;
const ALONE_MS = 3_600_000;
/** Blocks in which a transaction is taken up unless its fee is too low. */
const STUCK_BLOCKS = 10;
/** The same of a fee for which nothing was urgent. */
const CALM_BLOCKS = 144;
/** And in which it is, once the one before it is in a block. */
const NEXT_BLOCKS = 2;

/** What a refusal means for a payout that waits. */
const waitsByRefusal: Readonly<Record<SignerRefusal, WaitsFor>> = {
  ...{ CHANGED: 'REFUSED_BY_SIGNER', CLAIMED: 'REFUSED_BY_SIGNER', NOT_ALLOWED: 'REFUSED_BY_SIGNER' },
  ...{ NOT_A_REPLACEMENT: 'REFUSED_BY_SIGNER', DAY: 'SIGNER', FEE: 'FEE' },
};
const waitsByAnswer: Readonly<Record<Exclude<Broadcast, 'taken'>, WaitsFor>> = {
  ...{ insufficient: 'FUNDS', underpriced: 'FEE', refused: 'NODE' },
};

const lastSigned = ({ attempts }: KeptPayout): Attempt | undefined => attempts.findLast(({ raw }) => raw !== null);
const unsigned = ({ attempts }: KeptPayout): Attempt | undefined => attempts.find(({ raw }) => raw === null);

/** Of every attempt. */
const termsOf = (open: readonly KeptPayout[]): Terms[] =>
  open.flatMap(({ attempts }) => attempts.map((one) => one.terms));

/** Nothing is fixed for it yet. */
const isUntaken = ({ state, sender }: KeptPayout): boolean => state === 'PLANNED' && sender === '';

/** Of a payment at the signer. */
export async function nameOf(store: Pick<PayoutStore, 'book'>, { purpose, reference }: Payment): Promise<string> {
  const name = purpose === 'withdrawal' ? reference : `${purpose}:${reference}`;
  return `${await store.book()}:${name}`;
}

export class PayoutRunner {
  readonly #deps: RunnerDeps;
  /** When a payout is tried again that was refused. */
  readonly #retryAt = new Map<number, number>();
  /** Until when a payout goes by itself: a transaction with it and others was refused. */
  readonly #aloneUntil = new Map<number, number>();
  /** Those that an operator wants sent again with a higher fee. */
  readonly #wanted = new Set<number>();
  /** The one that all later nonces wait for, and the newest block when it became that. */
  #first = { id: 0, height: 0 };
  #hotAddress: string | undefined;
  #isAway = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  get network(): NetworkName {
    return this.#deps.chain.network;
  }

  /** The node did not answer in the last run. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** The canonical address that is paid from; undefined before the signer has named it. */
  get hotAddress(): string | undefined {
    return this.#hotAddress;
  }

  /** Asks the signer for the address once. */
  async prepare(): Promise<void> {
    const kept = (await this.#deps.store.networks()).get(this.network)?.hotAddress ?? '';
    if (kept !== '') this.#hotAddress = kept;
    const named = await this.#deps.signer.hotAddress(this.network).catch((error: unknown) => {
      if (error instanceof SignerAway) return undefined;
      throw error;
    });
    if (named === undefined) return;
    this.#hotAddress = canonicalAddress(familyOf(this.network), named);
    if (this.#hotAddress !== kept) await this.#deps.store.keepHotAddress(this.network, this.#hotAddress);
  }

  /** Keeps the cold wallet's address as the signer's policy has it by now. */
  async readColdAddress(): Promise<void> {
    const { store, signer, alarm } = this.#deps;
    const kept = (await store.networks()).get(this.network)?.coldAddress ?? '';
    const named = await signer.coldAddress(this.network).catch((error: unknown) => {
      if (error instanceof SignerAway) return undefined;
      throw error;
    });
    if (named === undefined || (named ?? '') === kept) return;
    await store.keepColdAddress(this.network, named ?? '');
    if (kept !== '') await alarm('cold-wallet', `The signer's policy names another cold wallet of ${this.network}`);
  }

  /** Sends a payout that is not in a block again with a higher fee, in the next run. */
  replace(id: number): Promise<void> {
    this.#wanted.add(id);
    return this.run();
  }

  /** Does all that there is to do now. Rejects where the database is away; the next run goes on. */
  readonly run = oneAtATime(async () => {
    try {
      if (this.#hotAddress === undefined) await this.prepare();
      const head = await this.#deps.chain.head();
      await this.#follow(head);
      await this.#begin(head);
      this.#isAway = false;
    } catch (error) {
      // Whether a payment was replaced cannot be told without the signer.
      if (error instanceof SignerAway) return;
      if (!(error instanceof NodeFailure)) throw error;
      if (!this.#isAway) this.#deps.logger.warn({ err: error, network: this.network }, 'Payouts wait for a node');
      this.#isAway = true;
      await this.#wait(await this.#open(), 'NODE');
    }
  });

  #open(): Promise<KeptPayout[]> {
    return this.#deps.store.open(this.network, LOOKED_AT);
  }

  /** Says why payouts that are not in a block wait. */
  async #wait(payouts: readonly KeptPayout[], waitsFor: WaitsFor): Promise<void> {
    const { store, clock } = this.#deps;
    for (const payout of payouts) {
      const isOwn = payout.carriedBy === null && payout.state !== 'MINED';
      if (isOwn && payout.waitsFor !== waitsFor) await store.waits(payout, waitsFor, clock.now());
    }
  }

  async #follow(head: BlockHeader): Promise<void> {
    const isPaused = await this.#isPaused();
    let first: number | undefined;
    const open = (await this.#open()).filter((payout) => lastSigned(payout) !== undefined);
    for (const payout of open.sort((one, other) => (one.nonce ?? one.id) - (other.nonce ?? other.id))) {
      const seen = await this.#deps.following.look(payout, head);
      if (seen === 'done') continue;
      if (payout.payer === undefined) first ??= payout.id;
      if (first === payout.id && this.#first.id !== first) this.#first = { id: first, height: head.height };
      if (!isPaused) await this.#send(payout, seen, head);
    }
    this.#wanted.clear();
  }

  /** What is in no block goes again as the same bytes, or is replaced where its fee is too low. */
  async #send(payout: KeptPayout, seen: 'pooled' | 'unknown', head: BlockHeader): Promise<void> {
    const { store, sender, clock } = this.#deps;
    const attempt = lastSigned(payout);
    if (attempt?.raw == null) return;
    const patience = payout.payer?.coins === undefined ? STUCK_BLOCKS : CALM_BLOCKS;
    const isOld = head.height - (attempt.sentHeight ?? head.height) >= patience;
    // Later nonces of the hot wallet wait for the first one; whoever else pays does so once at a time.
    const isNext = this.#first.id === payout.id && head.height - this.#first.height >= NEXT_BLOCKS;
    const isAlone = payout.nonce === null || payout.payer !== undefined || !isOrdered(attempt.terms);
    // Also where no node has ever taken it: it may have been away for as long.
    const isOver = (lastsUntil(attempt.terms) ?? clock.now() + 1) <= clock.now();
    const isStuck = isOver || (isOld && (isAlone || isNext));
    const isDue = (this.#retryAt.get(payout.id) ?? 0) <= clock.now();
    const isWanted = this.#wanted.has(payout.id);
    // What a cold wallet has signed cannot be signed again here.
    const canReplace = unsigned(payout) === undefined && payout.purpose !== 'refill';
    if (payout.purpose === 'refill' && (await this.#deps.following.lapsed(payout, attempt.terms))) return;
    if (canReplace && (isWanted || (isDue && isStuck))) return this.#replace(payout, attempt, head);
    if (seen === 'pooled' && attempt.sentHeight !== null) return;
    const answer = await sender.broadcast(attempt.raw);
    const isNews = payout.state === 'SIGNED' || attempt.sentHeight === null || payout.waitsFor !== '';
    if (answer === 'taken' && isNews) await store.sent(payout, attempt, head.height, clock.now());
    else if (answer === 'taken') return;
    else if (answer === 'underpriced' && isDue && canReplace) await this.#replace(payout, attempt, head);
    else await this.#wait([payout], waitsByAnswer[answer]);
  }

  async #replace(payout: KeptPayout, { attempt, terms }: Attempt, head: BlockHeader): Promise<void> {
    const { store, sender, following, clock, isTrusted } = this.#deps;
    // Only the chain's own word keeps both from being mined.
    if (!isOrdered(terms) && !isTrusted()) return;
    this.#retryAt.set(payout.id, clock.now() + RETRY_MS);
    const underway = termsOf(await this.#open());
    const raised = await sender.raise(terms, { from: payout.sender, underway });
    if (raised !== undefined && !isOrdered(terms) && (await following.isMined(payout))) return;
    if (raised === undefined || !(await store.addAttempt(payout, attempt + 1, raised, clock.now()))) return;
    await this.#sign(payout.id, head);
  }

  async #isPaused(): Promise<boolean> {
    return (await this.#deps.store.networks()).get(this.network)?.isPaused ?? true;
  }

  /** Signs what is fixed and not signed yet, then takes up those that are planned. */
  async #begin(head: BlockHeader): Promise<void> {
    const open = await this.#open();
    const waiting = open.filter(({ state }) => state === 'PLANNED');
    if (await this.#isPaused()) return this.#wait(waiting, 'PAUSED');
    if (!this.#deps.isTrusted()) return this.#wait(waiting, 'NODE');
    if (this.#hotAddress === undefined) return this.#wait(waiting, 'SIGNER');
    for (const payout of open) {
      if (unsigned(payout) !== undefined && !(await this.#sign(payout.id, head))) return;
    }
    await this.#take(this.#hotAddress, head);
  }

  async #take(hot: string, head: BlockHeader): Promise<void> {
    const { clock, isStopped } = this.#deps;
    const short = new Set<string>();
    let open = await this.#open();
    for (const { id } of open.filter(isUntaken)) {
      // It may have gone along with one before it.
      const payout = open.find((one) => one.id === id && isUntaken(one));
      if (payout === undefined) continue;
      const isHot = payout.payer === undefined;
      const isRival = (one: KeptPayout) => one.carriedBy === null && isHot === (one.payer === undefined);
      if (open.filter((one) => isUnderway(one) && isRival(one)).length >= MAXIMUM_UNDERWAY) continue;
      if (isStopped(payout.coin)) await this.#wait([payout], 'PAUSED');
      else if (isHot && short.has(payout.coin)) await this.#wait([payout], 'FUNDS');
      else if ((this.#retryAt.get(payout.id) ?? 0) <= clock.now()) {
        const took = await this.#takeOne(payout, hot, head, open);
        if (took === 'end') return;
        if (took === 'short' && isHot) short.add(payout.coin);
        open = await this.#open();
      }
    }
  }

  async #takeOne(
    payout: KeptPayout,
    hot: string,
    head: BlockHeader,
    open: readonly KeptPayout[],
  ): Promise<'next' | 'short' | 'end'> {
    const { store, networks, clock } = this.#deps;
    const next = (await store.networks()).get(this.network)?.nextNonce ?? null;
    const from = payout.payer?.address ?? hot;
    const along = await this.#along(payout, open);
    const terms = await this.#fix(payout, from, { next, along }, await networks.all(), open);
    if (terms === 'short') return 'short';
    if (terms === undefined) return 'next';
    const carried = othersOf(terms).flatMap(({ id }) => along.get(id) ?? []);
    // Another process has taken it, or payouts were paused.
    if (!(await store.take(payout, { terms, carried }, from, next, clock.now())))
      return payout.payer === undefined ? 'end' : 'next';
    return (await this.#sign(payout.id, head)) ? 'next' : 'end';
  }

  /** What waits for the same and can go along with a payout, by its name at the signer. */
  async #along(payout: KeptPayout, open: readonly KeptPayout[]): Promise<ReadonlyMap<string, KeptPayout>> {
    const { sender, store, clock } = this.#deps;
    const isAlone = ({ id }: KeptPayout) =>
      Math.max(this.#aloneUntil.get(id) ?? 0, this.#retryAt.get(id) ?? 0) > clock.now();
    const isKind = payout.purpose === 'withdrawal' || payout.payer?.coins !== undefined;
    const isBatched = sender.carries !== undefined && isKind && !isAlone(payout);
    const along = new Map<string, KeptPayout>();
    if (!isBatched) return along;
    const { coin, purpose, confirmationsRequired } = payout;
    for (const other of open) {
      const isAlike =
        other.coin === coin && other.purpose === purpose && other.confirmationsRequired === confirmationsRequired;
      if (other.id === payout.id || !isAlike || !isUntaken(other) || isAlone(other)) continue;
      if (along.size < (sender.carries ?? 0)) along.set(await nameOf(store, other), other);
    }
    return along;
  }

  /** What decides the bytes of a payment now; `short` where its payer cannot pay it. */
  async #fix(
    payout: KeptPayout,
    from: string,
    { next, along }: { readonly next: number | null; readonly along: ReadonlyMap<string, KeptPayout> },
    coins: readonly CoinNetwork[],
    open: readonly KeptPayout[],
  ): Promise<Terms | 'short' | undefined> {
    const { sender, store, alarm, clock } = this.#deps;
    if (payout.payer?.coins !== undefined) return this.#fixSweep(payout, along);
    const payment = paymentOf(payout, coins);
    const of = (one: KeptPayout) => paymentOf(one, coins);
    const others = [...along].map(([id, { address, units }]) => ({ id, address, units }));
    // Before the fee is known: a node that is asked for it refuses what the wallet cannot pay.
    const beside = open.filter((one) => sharesPayer(one, payout));
    const isShort = async (terms?: Terms) =>
      (await missing(sender, from, payment, terms, beside.filter(isUnderway), of)).size > 0;
    const exhausted = payout.payer && (await store.exhausted(this.network, payout.coin, payout.payer.address));
    const claimed = { next: payout.payer === undefined ? next : null, underway: termsOf(beside), others, exhausted };
    const isPoor = await isShort();
    const terms = isPoor ? 'short' : await sender.prepare(from, payment, claimed);
    if (terms === undefined) {
      this.#retryAt.set(payout.id, clock.now() + RETRY_MS);
      await this.#wait([payout], 'WOULD_FAIL');
      await alarm('payout-would-fail', `${this.network} would undo payout ${payout.id}; it waits for an operator`);
      return undefined;
    }
    if (terms !== 'short' && !(await isShort(terms))) return terms;
    // A block may have come between two answers: only what is still short in the next run is told. Coins that are claimed
    // come back as change.
    const isClaimed = terms === 'short' && !isPoor && beside.some(isUnderway);
    if (payout.waitsFor === 'FUNDS' && !isClaimed && payout.payer === undefined)
      await alarm('hot-wallet-short', `The hot wallet of ${this.network} has too little for payouts of ${payout.coin}`);
    await this.#wait([payout], 'FUNDS');
    return 'short';
  }

  /** Of what pays with coins that were chosen for it. */
  async #fixSweep(payout: KeptPayout, along: ReadonlyMap<string, KeptPayout>): Promise<Terms | 'short'> {
    const { sender, signer, store } = this.#deps;
    const { coinSweeps } = sender;
    if (coinSweeps === undefined) throw new Error(`${this.network} has no coins`);
    const sweepOf = ({ payer }: KeptPayout) => ({ index: payer?.index ?? 0, coins: payer?.coins ?? [] });
    const others = [...along].map(([id, other]) => ({ id, ...sweepOf(other) }));
    const terms = await coinSweeps.prepare(payout.address, sweepOf(payout), others);
    if (terms !== 'short') return terms;
    // What it would spend may be spent by itself: the database was set back since.
    const signed = await signer.signed(await nameOf(store, payout));
    const last = signed.at(-1);
    if (last === undefined) await this.#wait([payout], 'FUNDS');
    else await this.#adopt(payout, last.id, signed);
    return 'short';
  }

  /** Has the signer sign what was fixed, and sends it. @returns whether the next one may be tried */
  async #sign(id: number, head: BlockHeader): Promise<boolean> {
    const { store, signer, sender, clock, networks } = this.#deps;
    const payout = await store.find(id);
    const attempt = payout && unsigned(payout);
    if (payout === undefined || attempt === undefined) return true;
    const payment = paymentOf(payout, await networks.all());
    const intent: Intent = {
      id: await nameOf(store, payout),
      attempt: attempt.attempt,
      source: payout.payer?.index ?? null,
      payment,
      terms: attempt.terms,
    };
    try {
      const answer = await signer.sign(intent);
      if (!answer.ok) return await this.#refused(payout, attempt, answer.code);
      if (answer.id !== intent.id || writeJson(answer.terms) !== writeJson(attempt.terms)) {
        // It has signed it before: the database was set back since.
        await this.#adopt(payout, answer.id, await signer.signed(intent.id));
        return true;
      }
      const { raw, transaction } = answer;
      if (!(await store.signed(payout, attempt.attempt, raw, transaction, clock.now()))) return true;
      const answered = await sender.broadcast(raw);
      const now = await store.find(id);
      if (now === undefined) return true;
      if (answered === 'taken') await store.sent(now, attempt, head.height, clock.now());
      else await this.#wait([now], waitsByAnswer[answered]);
      return true;
    } catch (error) {
      if (!(error instanceof SignerAway)) throw error;
      await this.#wait([payout], 'SIGNER');
      return false;
    }
  }

  /** @param name of what it was signed for: another payout where this one went along with it */
  async #adopt(payout: KeptPayout, name: string, signed: readonly SignedAttempt[]): Promise<void> {
    const { store, clock, alarm } = this.#deps;
    if (name === (await nameOf(store, payout))) {
      await store.adopt(payout, signed, payout.sender, clock.now());
      return;
    }
    if (!(await store.release(payout, 'REFUSED_BY_SIGNER', clock.now()))) return;
    const { purpose, reference } = paymentNamed(name);
    const [leader] = await store.byReferences(purpose, [reference]);
    if (leader !== undefined && isUntaken(leader)) {
      await store.adopt(leader, signed, leader.payer?.address ?? payout.sender, clock.now());
      return;
    }
    this.#retryAt.set(payout.id, clock.now() + RETRY_MS);
    await alarm('payout-refused', `Payout ${payout.id} was signed with ${name}, which has ended otherwise`);
  }

  async #refused(payout: KeptPayout, { attempt, terms }: Attempt, code: SignerRefusal): Promise<boolean> {
    const { store, clock, alarm } = this.#deps;
    const waitsFor = waitsByRefusal[code];
    if (attempt === 1 && othersOf(terms).length > 0) {
      // One of them may be what is refused: each is asked for by itself.
      const along = await store.carriedBy(payout.id);
      for (const { id } of [payout, ...along]) this.#aloneUntil.set(id, clock.now() + ALONE_MS);
      return store.release(payout, '', clock.now());
    }
    this.#retryAt.set(payout.id, clock.now() + RETRY_MS);
    if (attempt === 1) await store.release(payout, waitsFor, clock.now());
    else await store.dropAttempt(payout, waitsFor, clock.now());
    await alarm('payout-refused', `The signer refuses payout ${payout.id} on ${this.network}: ${code}`);
    return true;
  }
}
