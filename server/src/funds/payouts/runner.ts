/**
 * Sends the payouts of one network, one run at a time. Every step is written down before the next one begins, by a change
 * that holds only where the payout is as it was read: a process may end anywhere, and two may be at it at once. A payment has
 * one nonce for ever, and the signer gives the same bytes for it, so that whatever is sent twice is mined once.
 */

import type { NetworkName } from '@cambist/contract/deposits.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import { SignerAway, type SignerLink } from '../../signer/service.ts';
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
  type Sender,
} from '../chains/service.ts';
import type { Following } from './following.ts';
import { isUntaken } from './funds.ts';
import { type Attempt, type KeptPayout, lastSigned, termsOf, unsigned } from './kept-payout.ts';
import { Signing, waitsByAnswer } from './signing.ts';
import type { PayoutStore } from './store.ts';
import { Taking } from './taking.ts';
import { Waiting } from './waiting.ts';

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

/** Untaken payouts that are looked at in one run, and those in a block. */
const LOOKED_AT = 500;
/** Blocks in which a transaction is taken up unless its fee is too low. */
const STUCK_BLOCKS = 10;
/** The same of a fee for which nothing was urgent. */
const CALM_BLOCKS = 144;
/** And in which it is, once the one before it is in a block. */
const NEXT_BLOCKS = 2;

export class PayoutRunner {
  readonly #deps: RunnerDeps;
  readonly #waiting: Waiting;
  readonly #signing: Signing;
  readonly #taking: Taking;
  /** Those that an operator wants sent again with a higher fee. */
  readonly #wanted = new Set<number>();
  /** The one that all later nonces wait for, and the newest block when it became that. */
  #first = { id: 0, height: 0 };
  /** The last of those that wait and were looked at: with more than one run looks at, the next ones have their turn. */
  #after = 0;
  #hotAddress: string | undefined;
  #isAway = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    const { store, clock, chain, alarm } = deps;
    this.#waiting = new Waiting(store, clock, alarm);
    const shared = { ...deps, network: chain.network, waiting: this.#waiting };
    this.#signing = new Signing(shared);
    this.#taking = new Taking({ ...shared, signing: this.#signing, openPayouts: () => this.#open() });
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
      await this.#waiting.wait(await this.#open(), 'NODE');
    }
  });

  #open(): Promise<KeptPayout[]> {
    return this.#deps.store.open(this.network, LOOKED_AT, this.#after);
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
  async #send(payout: KeptPayout, seen: 'pooled' | 'unknown' | 'unclear', head: BlockHeader): Promise<void> {
    const { store, clock } = this.#deps;
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
    const isDue = this.#waiting.isDue(payout);
    const isWanted = this.#wanted.has(payout.id);
    // What a cold wallet has signed cannot be signed again here.
    const canReplace = seen !== 'unclear' && unsigned(payout) === undefined && payout.purpose !== 'refill';
    if (seen !== 'unclear' && payout.purpose === 'refill' && (await this.#deps.following.lapsed(payout, attempt.terms)))
      return;
    if (canReplace && (isWanted || (isDue && isStuck))) return this.#replace(payout, attempt, head);
    if (seen === 'pooled' && attempt.sentHeight !== null) return;
    const { answer, sent } = await this.#broadcast(payout, attempt.raw);
    const isNews = payout.state === 'SIGNED' || sent?.sentHeight === null || payout.waitsFor !== '';
    if (sent !== undefined && isNews) await store.sent(payout, sent, head.height, clock.now());
    else if (answer === 'taken') return;
    else if (answer === 'underpriced' && isDue && canReplace) await this.#replace(payout, attempt, head);
    else await this.#waiting.wait([payout], waitsByAnswer[answer]);
  }

  /**
   * Sends the newest attempt; where its higher fee is more than an address of a client has, one before it, which the chain
   * takes once fees have fallen. Nothing else brings gas there while its sweep is underway.
   */
  async #broadcast(
    { attempts, payer }: KeptPayout,
    newest: string,
  ): Promise<{ readonly answer: Broadcast; readonly sent?: Attempt | undefined }> {
    const { sender } = this.#deps;
    const answer = await sender.broadcast(newest);
    const tried = attempts.filter(({ raw }) => raw !== null && (raw === newest || payer !== undefined)).reverse();
    if (answer === 'taken') return { answer, sent: tried[0] };
    for (const attempt of answer === 'insufficient' ? tried.slice(1) : []) {
      const earlier = await sender.broadcast(attempt.raw ?? '');
      if (earlier === 'taken') return { answer: earlier, sent: attempt };
    }
    return { answer };
  }

  async #replace(payout: KeptPayout, { attempt, terms }: Attempt, head: BlockHeader): Promise<void> {
    const { store, sender, following, clock, isTrusted } = this.#deps;
    // Only the chain's own word keeps both from being mined.
    if (!isOrdered(terms) && !isTrusted()) return;
    this.#waiting.postpone(payout);
    const underway = termsOf(await this.#open());
    const raised = await sender.raise(terms, { from: payout.sender, underway });
    if (raised !== undefined && !isOrdered(terms) && (await following.mayBeMined(payout))) return;
    if (raised === undefined || !(await store.addAttempt(payout, attempt + 1, raised, clock.now()))) return;
    await this.#signing.sign(payout.id, head);
  }

  async #isPaused(): Promise<boolean> {
    return (await this.#deps.store.networks()).get(this.network)?.isPaused ?? true;
  }

  /** Signs what is fixed and not signed yet, then takes up those that are planned. */
  async #begin(head: BlockHeader): Promise<void> {
    const open = await this.#open();
    const waiting = open.filter(({ state }) => state === 'PLANNED');
    if (await this.#isPaused()) return this.#waiting.wait(waiting, 'PAUSED');
    if (!this.#deps.isTrusted()) return this.#waiting.wait(waiting, 'NODE');
    if (this.#hotAddress === undefined) return this.#waiting.wait(waiting, 'SIGNER');
    for (const payout of open) {
      if (unsigned(payout) !== undefined && !(await this.#signing.sign(payout.id, head))) return;
    }
    if (!(await this.#taking.take(this.#hotAddress, head, this.#after === 0))) return;
    const untaken = open.filter(isUntaken);
    this.#after = untaken.length < LOOKED_AT ? 0 : (untaken.at(-1)?.id ?? 0);
  }
}
